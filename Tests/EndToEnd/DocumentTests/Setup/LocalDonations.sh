cat >soup.jsonl <<'END'
{"kind": "searchableItem", "identifier": "soup-1", "domain": "menu.soups", "title": "Tomato soup", "keywords": ["tomato", "warm"]}
{"kind": "activity", "type": "com.example.soup.view", "title": "Tomato soup", "persistentIdentifier": "view-soup-1", "relatedIdentifier": "soup-1", "userInfo": {"soup": "tomato", "scroll": 12}, "requiredKeys": ["soup"], "begin": "2026-11-18T11:58:00Z"}
{"kind": "interaction", "type": "OrderSoupIntent", "identifier": "order-17", "group": "soup-1", "title": "Order a tomato soup", "action": "order-17", "parameters": {"soup": "tomato", "size": "large"}, "combinations": [["soup"], ["soup", "size"]], "begin": "2026-11-18T12:01:00Z", "link": {"container": "iCloud.com.example.soup", "scope": "private", "zone": "Orders", "record": "17"}}
{"kind": "interaction", "type": "OrderSoupIntent", "identifier": "order-18", "group": "soup-1", "title": "Order a tomato soup", "action": "order-18", "parameters": {"soup": "tomato", "size": "large"}, "combinations": [["soup"], ["soup", "size"]], "begin": "2026-11-19T12:03:00Z"}
END
