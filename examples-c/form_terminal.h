/* What form.c needs of a terminal: raw mode and back, whatever ends the program;
 * keys out of bytes; and a frame that is put together and written at once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FORM_TERMINAL_H
#define FORM_TERMINAL_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define TERMINAL_BOLD "\033[1m"
#define TERMINAL_DIM "\033[2m"
#define TERMINAL_REVERSE "\033[7m"
#define TERMINAL_PLAIN "\033[0m"

/* ---- Raw mode and back -------------------------------------------------- */

static struct {
  struct termios before;
  bool is_raw;
  int signals[2]; /* a pipe: the numbers of the signals that came */
} terminal = {.signals = {-1, -1}};

static void terminal_write(const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(STDOUT_FILENO, bytes, length);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
    }
  }
}

static bool terminal_enter(void) {
  static const char enter[] = "\033[?1049h"; /* a screen of its own */
  struct termios raw;
  if (tcgetattr(STDIN_FILENO, &terminal.before) != 0) return false;
  raw = terminal.before;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0) return false;
  terminal.is_raw = true;
  terminal_write(enter, sizeof enter - 1);
  return true;
}

static void terminal_leave(void) {
  static const char leave[] = TERMINAL_PLAIN "\033[?25h\033[?1049l";
  if (!terminal.is_raw) return;
  terminal.is_raw = false;
  terminal_write(leave, sizeof leave - 1);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal.before);
}

static void terminal_note_signal(int number) {
  int error = errno;
  char byte = (char)number;
  ssize_t ignored = write(terminal.signals[1], &byte, 1);
  (void)ignored; /* full: there is enough to read */
  errno = error;
}

/* What would end or stop the program is left to the loop, which can put the
 * terminal back first. Returns the descriptor to read the numbers from. */
static int terminal_catch_signals(void) {
  static const int numbers[] = {
      SIGINT,   SIGTERM, SIGHUP, SIGQUIT, SIGTSTP,
#ifdef SIGWINCH
      SIGWINCH,
#endif
  };
  struct sigaction action;
  if (pipe(terminal.signals) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(terminal.signals[i], F_SETFL, O_NONBLOCK);
    fcntl(terminal.signals[i], F_SETFD, FD_CLOEXEC);
  }
  memset(&action, 0, sizeof action);
  action.sa_handler = terminal_note_signal;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
  return terminal.signals[0];
}

/* The number of a signal that came, or 0. */
static int terminal_next_signal(void) {
  char byte = 0;
  return read(terminal.signals[0], &byte, 1) == 1 ? byte : 0;
}

/* Ends the program as the signal would have. */
static void terminal_die_of(int number) {
  signal(number, SIG_DFL);
  raise(number);
}

/* ---- Keys --------------------------------------------------------------- */

typedef enum {
  KEY_NONE,
  KEY_TEXT, /* a character, in `bytes` */
  KEY_NEXT,
  KEY_PREVIOUS,
  KEY_ENTER,
  KEY_BACKSPACE,
  KEY_QUIT
} key_kind;

typedef struct {
  enum { PLAIN, ESCAPE, SEQUENCE, CHARACTER } state;
  char bytes[5];
  int length, wanted;
} key_reader;

/* After ESC: the beginning of a sequence, or of nothing. */
static key_kind key_in_escape(key_reader *self, unsigned char byte) {
  self->state = byte == '[' || byte == 'O' ? SEQUENCE : PLAIN;
  return byte == 033 ? KEY_QUIT : KEY_NONE;
}

static key_kind key_in_sequence(key_reader *self, unsigned char byte) {
  if (byte >= 0x20 && byte < 0x40) return KEY_NONE; /* its parameters */
  self->state = PLAIN;
  if (byte == 'A' || byte == 'Z') return KEY_PREVIOUS;
  return byte == 'B' ? KEY_NEXT : KEY_NONE;
}

static key_kind key_plain(key_reader *self, unsigned char byte) {
  switch (byte) {
  case 033:
    self->state = ESCAPE;
    return KEY_NONE;
  case 003:
    return KEY_QUIT;
  case '\t':
    return KEY_NEXT;
  case '\r':
  case '\n':
    return KEY_ENTER;
  case '\b':
  case 0177:
    return KEY_BACKSPACE;
  }
  if (byte < 0x20 || (byte >= 0x80 && byte < 0xC2) || byte > 0xF4)
    return KEY_NONE;
  self->wanted = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  self->bytes[0] = (char)byte;
  self->bytes[1] = '\0';
  self->length = 1;
  if (self->wanted == 1) return KEY_TEXT;
  self->state = CHARACTER;
  return KEY_NONE;
}

/* The key that ends with this byte. */
static key_kind key_read(key_reader *self, unsigned char byte) {
  switch (self->state) {
  case ESCAPE:
    return key_in_escape(self, byte);
  case SEQUENCE:
    return key_in_sequence(self, byte);
  case CHARACTER:
    if ((byte & 0xC0) == 0x80) {
      self->bytes[self->length++] = (char)byte;
      self->bytes[self->length] = '\0';
      if (self->length < self->wanted) return KEY_NONE;
      self->state = PLAIN;
      return KEY_TEXT;
    }
    self->state = PLAIN; /* half a character */
    return key_plain(self, byte);
  default:
    return key_plain(self, byte);
  }
}

/* ---- Characters --------------------------------------------------------- */

/* The character at the start of a text that is valid UTF-8; its length. */
static size_t character(const char *text, uint32_t *point) {
  const unsigned char *at = (const unsigned char *)text;
  size_t length = at[0] < 0x80 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
  *point = length == 1 ? at[0] : at[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) *point = *point << 6 | (at[i] & 0x3Fu);
  return length;
}

/* How many columns it takes; -1 for what is no text, such as a control. */
static int columns_of(uint32_t point) {
  static const struct {
    uint32_t first, last;
    int columns;
  } ranges[] = {
      {0, 0x1F, -1},        {0x7F, 0x9F, -1},    {0x300, 0x36F, 0},
      {0x1100, 0x115F, 2},  {0x200B, 0x200F, 0}, {0x2028, 0x202E, -1},
      {0x2066, 0x2069, -1}, {0x2E80, 0xA4CF, 2}, {0xAC00, 0xD7A3, 2},
      {0xF900, 0xFAFF, 2},  {0xFE00, 0xFE0F, 0}, {0xFE30, 0xFE6F, 2},
      {0xFF01, 0xFF60, 2},  {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1FAFF, 2},
      {0x20000, 0x3FFFD, 2}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (point >= ranges[i].first && point <= ranges[i].last)
      return ranges[i].columns;
  return 1;
}

/* ---- Frames ------------------------------------------------------------- */

static char frame[8192];
static size_t frame_length;
static int cursor_row, cursor_column;

static void terminal_print(const char *format, ...) {
  va_list arguments;
  size_t room = sizeof frame - frame_length;
  va_start(arguments, format);
  int length = vsnprintf(frame + frame_length, room, format, arguments);
  va_end(arguments);
  if (length > 0) frame_length += (size_t)length < room ? (size_t)length : 0;
}

static void terminal_move(int row, int column) {
  terminal_print("\033[%d;%dH", row, column);
}

/* Without a cursor, which would be seen running about. */
static void terminal_begin(void) {
  frame_length = 0;
  terminal_print("\033[?25l\033[H\033[J");
}

static void terminal_end(void) {
  terminal_move(cursor_row, cursor_column);
  terminal_print("\033[?25h");
  terminal_write(frame, frame_length);
}

/* The end of a text that fits, as stars if it is a secret. Returns its width. */
static int terminal_print_text(const char *text, int room, bool is_secret) {
  int width = 0;
  uint32_t point = 0;
  for (const char *at = text; *at != '\0'; at += character(at, &point)) {
    character(at, &point);
    width += is_secret ? 1 : columns_of(point);
  }
  for (; width > room; text += character(text, &point)) {
    character(text, &point);
    width -= is_secret ? 1 : columns_of(point);
  }
  if (!is_secret) {
    terminal_print("%s", text);
  } else {
    for (; *text != '\0'; text += character(text, &point)) terminal_print("*");
  }
  return width;
}

#endif
