/* An HTTP GET with plain sockets, just enough for fetch_once.c: HTTP/1.0, one
 * connection a request, IPv4 on this machine, answers up to 1 MiB.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HTTP_GET_H
#define HTTP_GET_H

#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { HTTP_TIMEOUT_SECONDS = 5, HTTP_LIMIT = 1 << 20 };

typedef struct {
  char *body;        /* NUL-terminated, yours to free; NULL when it failed */
  size_t length;     /* of the body, without the NUL */
  int code;          /* the server's status, or errno, or 0 */
  char message[160]; /* what failed */
} http_answer;

static inline int http_connect(uint16_t port) {
  struct timeval limit = {.tv_sec = HTTP_TIMEOUT_SECONDS};
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0 ||
      setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0 ||
      connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    int error = errno;
    close(fd);
    errno = error;
    return -1;
  }
  return fd;
}

static inline int http_send_all(int fd, const char *data, size_t length) {
  while (length > 0) {
    ssize_t sent = send(fd, data, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return -1;
    data += sent;
    length -= (size_t)sent;
  }
  return 0;
}

/* Everything up to the end of the connection, with a NUL behind it. */
static inline char *http_receive_all(int fd, size_t *length) {
  char *data = malloc(HTTP_LIMIT + 1);
  *length = 0;
  while (data != NULL) {
    ssize_t count = recv(fd, data + *length, HTTP_LIMIT - *length, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 && *length < HTTP_LIMIT) {
      data[*length] = '\0';
      return data;
    }
    if (count <= 0) {
      int error = count < 0 ? errno : EMSGSIZE;
      free(data);
      errno = error;
      return NULL;
    }
    *length += (size_t)count;
  }
  return NULL;
}

static inline http_answer http_fail(char *body, int code, const char *what,
                                    const char *why) {
  http_answer answer = {.code = code};
  snprintf(answer.message, sizeof answer.message, "%s: %s", what, why);
  free(body);
  return answer;
}

static inline http_answer http_get(uint16_t port, const char *path) {
  char request[1024];
  int asked = snprintf(request, sizeof request,
                       "GET %s HTTP/1.0\r\nHost: 127.0.0.1:%u\r\n"
                       "Accept: application/json\r\n\r\n",
                       path, (unsigned)port);
  if (asked < 0 || (size_t)asked >= sizeof request)
    return http_fail(NULL, 0, "cannot ask", "the path is too long");

  int fd = http_connect(port);
  if (fd < 0)
    return http_fail(NULL, errno, "cannot reach the server", strerror(errno));
  size_t length = 0;
  char *data = NULL;
  if (http_send_all(fd, request, (size_t)asked) == 0)
    data = http_receive_all(fd, &length);
  int error = errno;
  close(fd);
  if (data == NULL) return http_fail(NULL, error, "no answer", strerror(error));

  int status = 0;
  char *body = strstr(data, "\r\n\r\n");
  if (sscanf(data, "HTTP/1.%*1d %3d", &status) != 1 || body == NULL)
    return http_fail(data, 0, "no answer", "this is not HTTP");
  if (status != 200) {
    char why[16];
    snprintf(why, sizeof why, "HTTP %d", status);
    return http_fail(data, status, "the server refused", why);
  }
  body += 4;
  http_answer answer = {.length = length - (size_t)(body - data)};
  memmove(data, body, answer.length + 1);
  answer.body = data;
  return answer;
}

#endif /* HTTP_GET_H */
