openssl ecparam -name prime256v1 -genkey -noout -out eckey.pem
openssl ec -in eckey.pem -pubout -out eckey.pub.pem 2>/dev/null
echo '[{"operation": "writes", "atMost": 0}]' >asked.json
