#ifndef CBROKENCURL_H
#define CBROKENCURL_H

/* In programs that link this, libcurl's curl_multi_perform fails once for every transfer whose URL
   contains "/broken-loop", as when libcurl finds an error of its own. Returns how often it did. */
int cbrokencurl_failures(void);

#endif
