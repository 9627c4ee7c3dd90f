/* Values as JSON, and back. */
#include "check.h"
#include "json.h"

#include <locale.h>

static const char *written(const char *field, rac_value value) {
  static buffer out;
  out.length = 0;
  rac_status status = json_encode(&out, field, value);
  if (status != RAC_OK) return rac_status_name(status);
  if (!buffer_add(&out, "", 1)) abort();
  static char text[4096];
  snprintf(text, sizeof text, "%s", (char *)out.bytes);
  buffer_free(&out);
  return text;
}

/* What is read, written again; or the status. */
static const char *again(const char *text, const char *field) {
  owned_value value = {0};
  /* No NUL behind it: what reads too far is seen by a sanitizer. */
  size_t length = strlen(text);
  char *copy = malloc(length > 0 ? length : 1);
  memcpy(copy, text, length);
  rac_status status = json_decode(copy, length, field, &value);
  free(copy);
  return status == RAC_OK ? written(NULL, value) : rac_status_name(status);
}

TEST(values_are_written) {
  CHECK_TEXT(written(NULL, (rac_value){0}), "null");
  CHECK_TEXT(written(NULL, rac_bool(true)), "true");
  CHECK_TEXT(written(NULL, rac_int64(INT64_MIN)), "-9223372036854775808");
  CHECK_TEXT(written(NULL, rac_double(21.5)), "21.5");
  CHECK_TEXT(written(NULL, rac_double(0.1)), "0.1");
  CHECK_TEXT(written(NULL, rac_double(1.0 / 3)), "0.3333333333333333");
  CHECK_TEXT(written(NULL, rac_value_string("a \"b\"\\\n")),
             "\"a \\\"b\\\"\\\\\\u000a\"");
  rac_value parts[] = {rac_int64(1), rac_value_string("x")};
  owned_value tuple = rac_value_tuple(parts, 2);
  CHECK_TEXT(written(NULL, tuple), "[1,\"x\"]");
  CHECK_TEXT(written("heat", tuple), "{\"heat\":[1,\"x\"]}");
  CHECK_TEXT(written(NULL, rac_value_bytes_view("x", 1)), "RAC_EKIND");
  CHECK_TEXT(written(NULL, rac_double(1e308 * 10)), "RAC_EKIND");
}

TEST(texts_are_read) {
  static const struct {
    const char *text, *field, *expected;
  } table[] = {
      {" null ", NULL, "null"},
      {"true", NULL, "true"},
      {"-12", NULL, "-12"},
      {"0", NULL, "0"},
      {"9223372036854775807", NULL, "9223372036854775807"},
      {"9223372036854775808", NULL, "9.223372036854776e+18"},
      {"2.5e-3", NULL, "0.0025"},
      {"\"a\\u00e4\\ud83d\\ude00\\/\\t\"", NULL,
       "\"a\303\244\360\237\230\200/\\u0009\""},
      {"[ 1 , [] , \"x\" ]", NULL, "[1,[],\"x\"]"},
      {"{\"t\": 21.5, \"more\": {\"t\": [1, {}]}}", "t", "21.5"},
      {"{\"a\":[{\"b\":1}],\"t\":[1,2]}", "t", "[1,2]"},
      {"{\"t\":1,\"t\":2}", "t", "2"},
      /* What is none. */
      {"", NULL, "RAC_EINVAL"},
      {"nul", NULL, "RAC_EINVAL"},
      {"01", NULL, "RAC_EINVAL"},
      {"1.", NULL, "RAC_EINVAL"},
      {"1e", NULL, "RAC_EINVAL"},
      {"-", NULL, "RAC_EINVAL"},
      {"1 2", NULL, "RAC_EINVAL"},
      {"[1,]", NULL, "RAC_EINVAL"},
      {"[1", NULL, "RAC_EINVAL"},
      {"\"a", NULL, "RAC_EINVAL"},
      {"\"\\x\"", NULL, "RAC_EINVAL"},
      {"\"\\ud800\"", NULL, "RAC_EINVAL"},
      {"\"\\u12\"", NULL, "RAC_EINVAL"},
      {"{\"t\":}", "t", "RAC_EINVAL"},
      {"{\"t\" 1}", "t", "RAC_EINVAL"},
      {"{\"a\":1", "t", "RAC_EINVAL"},
      /* Objects are no values, and a field is one's. */
      {"{}", NULL, "RAC_EKIND"},
      {"[{}]", NULL, "RAC_EKIND"},
      {"{\"a\":1}", "t", "RAC_EKIND"},
      {"{\"t\":{}}", "t", "RAC_EKIND"},
      {"1", "t", "RAC_EKIND"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    CHECK_TEXT(again(table[i].text, table[i].field), table[i].expected);
}

TEST(what_is_nested_too_deep_is_refused) {
  char text[2001];
  memset(text, '[', 1000);
  memset(text + 1000, ']', 1000);
  text[2000] = 0;
  CHECK_TEXT(again(text, NULL), "RAC_ERANGE");
  char member[2100];
  snprintf(member, sizeof member, "{\"a\":%s,\"t\":1}", text);
  CHECK_TEXT(again(member, "t"), "RAC_ERANGE");
}

/* Every beginning of a text, and every text with one character changed, is read
 * or refused. */
TEST(broken_texts_do_no_harm) {
  static const char whole[] =
      "{\"a\":[1,-2.5e3,\"\\u00e4\\n\",{\"b\":null}],\"t\":[true,false,\"x\"]}";
  for (size_t i = 0; i < sizeof whole; i++) {
    char text[sizeof whole];
    snprintf(text, sizeof text, "%.*s", (int)i, whole);
    if (i < sizeof whole - 1) CHECK(strncmp(again(text, "t"), "RAC_E", 5) == 0);
    memcpy(text, whole, sizeof whole);
    for (const char *each = "\"\\{}[],:0ue \001"; *each != 0; each++) {
      text[i < sizeof whole - 1 ? i : 0] = *each;
      again(text, "t");
    }
  }
}

/* The host's locale may write a comma. */
TEST(numbers_are_the_same_everywhere) {
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8",
                                        "fr_FR.UTF-8"};
  for (size_t i = 0; i < sizeof locales / sizeof *locales; i++)
    if (setlocale(LC_NUMERIC, locales[i]) != NULL) break;
  CHECK_TEXT(again("2.5", NULL), "2.5");
  setlocale(LC_NUMERIC, "C");
}
