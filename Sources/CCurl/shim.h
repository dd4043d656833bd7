#ifndef CKSWEEP_CCURL_SHIM_H
#define CKSWEEP_CCURL_SHIM_H
#include <curl/curl.h>
#endif
