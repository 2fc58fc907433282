#!/bin/sh
# Compiles the module. Debian: apt-get install clang lld wasi-libc libclang-rt-dev-wasm32
set -eu
cd "$(dirname "$0")"
sdk=${LUMENFLOW_SDK:-../../pack-sdk}
clang --target=wasm32-wasi -mexec-model=reactor -O2 -Wall -Werror -I "$sdk/wasm" -o tools/count-words.wasm tools/count-words.c
