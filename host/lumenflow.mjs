#!/usr/bin/env node
// Stands there before the build, so that installing links it as a program. It runs the bundle, which loads several times
// faster than the modules that it was made of; after one of them was compiled anew, it runs these.
import {statSync} from 'node:fs';

const writtenAt = (path) => statSync(new URL(path, import.meta.url), {throwIfNoEntry: false})?.mtimeMs ?? 0;
const packages = ['.', '../kernel', '../kernel/node', '../pack-sdk', '../sandbox', '../schemas'];
const compiledAt = packages.map((folder) => writtenAt(`${folder}/dist/tsconfig.tsbuildinfo`));
const bundle = './dist/program/main.js';
await import(writtenAt(bundle) > Math.max(...compiledAt) ? bundle : './dist/main.js');
