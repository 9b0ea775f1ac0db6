package share

// primer is what the predictor has read before a link begins: the words of the
// language, in the order in which a scenario has them, and what handlers say.
// It is part of the form of version 1 and never changes, whatever becomes of
// the language.
const primer = `{"limits":{"events":100000,"time":"24h"},"topics":{"order-placed":{"to":["emails","analytics"]}},` +
	`"delay":"0s","ttl":"10s","order":"per_key","priority","return_to":"head","original","dead_letter_on":"receive","late_ack":"ignore",` +
	`"notice":"connection","notice_after":"100ms","dispatch":"round_robin","retry":{"backoff":"exponential","linear","fixed","base":"1s","cap":"60s","jitter":"full","equal"},` +
	`"producers":{"api":{"to":"jobs","rate":"100/m","arrivals":"poisson","until":"never","start":"5s","first_id":101,"keys":10,` +
	`"mix":[{"share":95,"body":{"amount":10}},{"share":5,"body":{"amount":"not-a-number"}}],"type":"order","when_full":"retry"}},` +
	`"services":{"apply_payment":{"latency":{"mean":"200ms","spread":"exponential"},{"min":"100ms","max":"300ms"},"fails":{"first":1},{"probability":"20%"},{"from":"10s","to":"20s"},"error":"mail server timed out","rate_limit":"100/m","idempotency":"key"}},` +
	`"tables":{"seen":{"ttl":"1h","effect":true}},"workers":{"worker":{"from":["a","b"],"prefetch":0,"acknowledge":"on_delivery","on_return","manual","on_error":"nack","reject",` +
	`"restart_after":"never","crash":{"probability":"10%","where":"anywhere","before_effect","after_effect","on_line","line":3},[{"message":2,"receive":1,"where":"after_effect"}],` +
	`"handler":"def on_message(msg):\n    # take the order\n    if seen.has(msg.id):\n        return ack(msg)\n    if not seen.insert(msg.id, True):\n    seen.get(msg.key)\n    seen.add(\n        fail(\"bad address %r\" % msg.body[\"email\"])\n` +
	`    for i in range(3):\n        sleep(0.5)\n    publish(\"emails\", msg.body, key=msg.key)\n    apply_payment(msg.id, amount=msg.body[\"amount\"], idempotency_key=msg.id)\n    else:\n        nack(msg, delay=1)\n        reject(msg)\n    extend(msg, 30)\n    print(msg.receives, msg.redelivered)\n    ack(msg)\n"}},` +
	`"timeline":[{"at":"20s","set":"workers.cook.count","to":8},{"at":"5s","crash":"mailer/1"},{"at":"30s","redrive":"orders-dead","to":"orders"},{"at":"9s","pause":"shop"},{"at":"12s","resume":"shop"},{"edit":102}],` +
	`"expect":["lost == 0 and duplicates == 0","deliveries == 4","dead_letters(\"orders\") == [102]","effects_of(\"send_email\", 101) == 1"]}` +
	`{"title":"Six orders, one worker","seed":7,"until":"60s","queues":{"orders":{"visibility_timeout":"1s","max_receives":3,"dead_letter":"orders-dead","max_size":20,"overflow":"drop_oldest","reject","block"}},` +
	`"producers":{"shop":{"to":"orders","send":[{"id":101,"body":{"email":"asha@example.com"}},{"id":102,"at":"200ms","body":{"email":"ravi@example.com"}},{"id":103,"at":"1s","key":"asha"}],"rate":"8/s","count":400}},` +
	`"services":{"send_email":{"latency":"200ms"}},"workers":{"mailer":{"from":"orders","count":3,"handler":"def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n"}}}`
