#!/usr/bin/env node
// Stands there before the build, so that installing links it as a program.
import './dist/main.js';
