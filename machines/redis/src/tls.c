#include "tls.h"

#ifdef RAC_REDIS_TLS

#include <arpa/inet.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>

struct tls_settings {
  SSL_CTX *context;
};

struct tls {
  SSL *ssl;
  BIO *in, *out; /* the ssl's */
  char fault[160];
};

/* ---- Settings ------------------------------------------------------------ */

static const char *fill(SSL_CTX *context, const char *authorities,
                        const char *certificate, const char *key) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  /* A buffer may have moved between two attempts to write it. */
  SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_ENABLE_PARTIAL_WRITE);
  int status = authorities != NULL
                   ? SSL_CTX_load_verify_locations(context, authorities, NULL)
                   : SSL_CTX_set_default_verify_paths(context);
  if (status != 1) return "authorities cannot be read";
  if (certificate == NULL) return NULL;
  if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1)
    return "certificate cannot be read";
  if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
    return "key cannot be read, or is another certificate's";
  return NULL;
}

tls_settings *tls_settings_create(const char *authorities,
                                  const char *certificate, const char *key,
                                  const char **fault) {
  tls_settings *self = calloc(1, sizeof *self);
  *fault = "no memory";
  if (self == NULL) return NULL;
  self->context = SSL_CTX_new(TLS_client_method());
  if (self->context != NULL)
    *fault = fill(self->context, authorities, certificate, key);
  ERR_clear_error();
  if (*fault == NULL) return self;
  tls_settings_free(self);
  return NULL;
}

void tls_settings_free(tls_settings *self) {
  if (self == NULL) return;
  SSL_CTX_free(self->context);
  free(self);
}

/* ---- A connection --------------------------------------------------------- */

/* Whose certificate it has to be; and what a server with several asks for. */
static bool expect(SSL *ssl, const char *host) {
  unsigned char address[16];
  bool is_address = inet_pton(AF_INET, host, address) == 1 ||
                    inet_pton(AF_INET6, host, address) == 1;
  if (is_address)
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
  return SSL_set1_host(ssl, host) == 1 &&
         SSL_set_tlsext_host_name(ssl, host) == 1;
}

tls *tls_create(tls_settings *settings, const char *host) {
  tls *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->ssl = SSL_new(settings->context);
  self->in = BIO_new(BIO_s_mem());
  self->out = BIO_new(BIO_s_mem());
  if (self->ssl == NULL || self->in == NULL || self->out == NULL ||
      !expect(self->ssl, host)) {
    BIO_free(self->in);
    BIO_free(self->out);
    SSL_free(self->ssl);
    free(self);
    ERR_clear_error();
    return NULL;
  }
  SSL_set_bio(self->ssl, self->in, self->out);
  SSL_set_connect_state(self->ssl);
  return self;
}

void tls_free(tls *self) {
  if (self == NULL) return;
  SSL_free(self->ssl); /* and its two BIOs */
  free(self);
}

/* Whether this answer of OpenSSL's only says that it waits for bytes. */
static bool only_waits(tls *self, int status) {
  int error = SSL_get_error(self->ssl, status);
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
    return true;
  long verified = SSL_get_verify_result(self->ssl);
  unsigned long code = ERR_peek_error();
  const char *reason = code == 0 ? NULL : ERR_reason_error_string(code);
  if (verified != X509_V_OK)
    snprintf(self->fault, sizeof self->fault, "TLS: %.140s",
             X509_verify_cert_error_string(verified));
  else if (error == SSL_ERROR_ZERO_RETURN)
    snprintf(self->fault, sizeof self->fault,
             "the broker has closed the connection");
  else
    snprintf(self->fault, sizeof self->fault, "TLS: %.140s",
             reason != NULL ? reason : "it failed");
  ERR_clear_error();
  return false;
}

static bool take_sealed(tls *self, buffer *sent) {
  size_t waiting = BIO_ctrl_pending(self->out);
  if (!buffer_reserve(sent, waiting)) return false;
  while (waiting > 0) {
    int most = waiting > INT_MAX ? INT_MAX : (int)waiting;
    int length = BIO_read(self->out, sent->bytes + sent->length, most);
    if (length <= 0) break;
    sent->length += (size_t)length;
    waiting -= (size_t)length;
  }
  return true;
}

bool tls_seal(tls *self, buffer *said, buffer *sent) {
  size_t done = 0;
  bool is_fine = true;
  ERR_clear_error();
  if (!SSL_is_init_finished(self->ssl)) {
    int status = SSL_do_handshake(self->ssl);
    if (status != 1) is_fine = only_waits(self, status);
  }
  while (is_fine && done < said->length && SSL_is_init_finished(self->ssl)) {
    size_t left = said->length - done;
    int most = left > 1 << 30 ? 1 << 30 : (int)left;
    int length = SSL_write(self->ssl, said->bytes + done, most);
    if (length > 0) {
      done += (size_t)length;
      continue;
    }
    is_fine = only_waits(self, length);
    break;
  }
  if (done > 0) memmove(said->bytes, said->bytes + done, said->length - done);
  said->length -= done;
  if (take_sealed(self, sent)) return is_fine;
  snprintf(self->fault, sizeof self->fault, "no memory for TLS");
  return false;
}

bool tls_open(tls *self, const void *received, size_t length, buffer *heard) {
  ERR_clear_error();
  if (BIO_write(self->in, received, (int)length) != (int)length) {
    snprintf(self->fault, sizeof self->fault, "no memory for TLS");
    return false;
  }
  for (;;) {
    if (!buffer_reserve(heard, 16384)) {
      snprintf(self->fault, sizeof self->fault, "no memory for TLS");
      return false;
    }
    int more = SSL_read(self->ssl, heard->bytes + heard->length, 16384);
    if (more <= 0) return only_waits(self, more);
    heard->length += (size_t)more;
  }
}

const char *tls_fault(const tls *self) { return self->fault; }

#else

tls_settings *tls_settings_create(const char *authorities,
                                  const char *certificate, const char *key,
                                  const char **fault) {
  (void)authorities, (void)certificate, (void)key;
  *fault = "tls: this librac-redis was built without OpenSSL";
  return NULL;
}
void tls_settings_free(tls_settings *self) { (void)self; }
tls *tls_create(tls_settings *settings, const char *host) {
  (void)settings, (void)host;
  return NULL;
}
void tls_free(tls *self) { (void)self; }
bool tls_seal(tls *self, buffer *said, buffer *sent) {
  (void)self, (void)said, (void)sent;
  return false;
}
bool tls_open(tls *self, const void *received, size_t length, buffer *heard) {
  (void)self, (void)received, (void)length, (void)heard;
  return false;
}
const char *tls_fault(const tls *self) {
  (void)self;
  return "";
}

#endif
