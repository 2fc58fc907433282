// Counts the words of a file, and writes the figure beside it. The module's other export adds up the words of several files, by
// calling the first one.
#include <ctype.h>
#include <stdio.h>

#include "lumenflow.h"

// The text of a field, in place. A tool with richer inputs would bring a JSON library.
static char *field(char *json, const char *name) {
  char key[32];
  snprintf(key, sizeof key, "\"%s\":\"", name);
  char *start = strstr(json, key);
  if (start == NULL) return NULL;
  start += strlen(key);
  char *end = strchr(start, '"');
  if (end != NULL) *end = 0;
  return end == NULL ? NULL : start;
}

static long count(FILE *file) {
  long words = 0;
  int inside = 0;
  for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
    if (!isspace(c) && !inside) words += 1;
    inside = !isspace(c);
  }
  return words;
}

LF_EXPORT("count") int count_words(void) {
  char *input = lf_input();
  char *path = field(input, "path");
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  if (file == NULL) {
    lf_fail("NOT_READABLE", "the file does not exist or is outside of the scopes of the call");
    return 1;
  }
  long words = count(file);
  fclose(file);
  char output[64];
  snprintf(output, sizeof output, "{\"words\":%ld}", words);
  lf_output(output);
  return 0;
}

LF_EXPORT("save") int save_count(void) {
  lf_progress("{\"percent\":50}");
  char *input = lf_input();
  char *counted = lf_call_tool("words:count", input);
  char *figure = strstr(counted, "\"words\":");
  char *path = field(input, "path");
  if (figure == NULL || path == NULL) {
    lf_fail("NOT_COUNTED", counted);
    return 1;
  }
  char target[512];
  snprintf(target, sizeof target, "%s.count", path);
  FILE *file = fopen(target, "w");
  if (file == NULL || fprintf(file, "%ld\n", atol(figure + 8)) < 0 || fclose(file) != 0) {
    lf_fail("NOT_WRITABLE", "the file cannot be written in the scopes of the call");
    return 1;
  }
  lf_log(LF_INFO, "saved");
  lf_output("{\"saved\":true}");
  return 0;
}
