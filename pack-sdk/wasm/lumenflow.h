// What a LumenFlow tool in C or C++ can call. A tool is a WebAssembly module that exports `run`:
//
//   #include "lumenflow.h"
//   LF_EXPORT("run") int run(void) {
//     char *input = lf_input();                // JSON, valid by the tool's input_schema
//     lf_output("{\"ok\": true}");             // JSON
//     return 0;
//   }
//
//   clang --target=wasm32-wasi -mexec-model=reactor -O2 -o tool.wasm tool.c
//
// Texts are UTF-8. Files are reached with the C library: the workspace is `/`, within the scopes of the call.
#ifndef LUMENFLOW_H
#define LUMENFLOW_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LF_IMPORT(name) __attribute__((import_module("lumenflow"), import_name(#name)))
#define LF_EXPORT(name) __attribute__((export_name(name)))

// The functions of the host. Lengths are in bytes. A pointer outside of the module's memory ends the call.
LF_IMPORT(input_size) uint32_t lf_input_size(void);
LF_IMPORT(input_read) void lf_input_read(void *to);
LF_IMPORT(output_write) void lf_output_write(const void *json, uint32_t length);
LF_IMPORT(fail) void lf_fail_with(const void *code, uint32_t code_length, const void *message, uint32_t message_length);
// Each of these returns the size of an answer, which `answer_read` copies.
LF_IMPORT(context_size) uint32_t lf_context_size(void);
LF_IMPORT(call_tool) uint32_t lf_call_tool_size(const void *name, uint32_t name_length, const void *json, uint32_t length);
LF_IMPORT(answer_read) void lf_answer_read(void *to);
LF_IMPORT(progress) void lf_progress_write(const void *json, uint32_t length);
LF_IMPORT(log) void lf_log_write(uint32_t level, const void *text, uint32_t length);
// Whether the call was cancelled or has reached its time limit; it ends a moment later.
LF_IMPORT(is_cancelled) uint32_t lf_is_cancelled(void);

enum { LF_DEBUG, LF_INFO, LF_WARN, LF_ERROR };

// The rest makes them convenient for texts that end with a zero. A returned text is the caller's to free; NULL: no memory.
static inline char *lf_answer(uint32_t size) {
  char *text = (char *)malloc((size_t)size + 1);
  if (text == NULL) return NULL;
  lf_answer_read(text);
  text[size] = 0;
  return text;
}

// The call's input, as JSON.
static inline char *lf_input(void) {
  uint32_t size = lf_input_size();
  char *text = (char *)malloc((size_t)size + 1);
  if (text == NULL) return NULL;
  lf_input_read(text);
  text[size] = 0;
  return text;
}

// The result, as JSON. The last one counts.
static inline void lf_output(const char *json) { lf_output_write(json, (uint32_t)strlen(json)); }

// The call fails with this error once the tool returns. The code has capital letters, digits and `_`.
static inline void lf_fail(const char *code, const char *message) {
  lf_fail_with(code, (uint32_t)strlen(code), message, (uint32_t)strlen(message));
}

// `task_id`, `config`, `granted_scopes` and so on, as JSON.
static inline char *lf_context(void) { return lf_answer(lf_context_size()); }

// Calls another tool, and returns its output as JSON: `success` with `data` or `error`.
static inline char *lf_call_tool(const char *name, const char *json) {
  return lf_answer(lf_call_tool_size(name, (uint32_t)strlen(name), json, (uint32_t)strlen(json)));
}

// Any JSON value.
static inline void lf_progress(const char *json) { lf_progress_write(json, (uint32_t)strlen(json)); }

static inline void lf_log(uint32_t level, const char *text) { lf_log_write(level, text, (uint32_t)strlen(text)); }

#ifdef __cplusplus
}
#endif

#endif
