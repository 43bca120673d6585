#!/usr/bin/env bash
# certificate.sh FOLDER: makes a key and a certificate of its own for the name localhost, good for a day.
set -euo pipefail
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE \
  -keyout "$1/key.pem" -out "$1/certificate.pem" 2>/dev/null
