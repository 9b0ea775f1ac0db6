package scenarioyaml

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// validator compiles the schema with a library that knows all of JSON Schema.
func validator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(scenario.Schema()))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("scenario.schema.json", schema))
	compiled, err := compiler.Compile("scenario.schema.json")
	require.NoError(t, err)
	return compiled
}

// validate holds what was read against the schema.
func validate(t *testing.T, schema *jsonschema.Schema, root *scenario.Node) error {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(root.JSON()))
	require.NoError(t, err)
	return schema.Validate(instance)
}

// TestSchema: what the decoder takes, the schema takes; what is wrong with
// one field, the schema refuses.
func TestSchema(t *testing.T) {
	schema := validator(t)
	for _, file := range caseFiles(t) {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		root, problems := Read(src)
		require.NoError(t, problems.Err())
		assert.NoError(t, validate(t, schema, root), file)
	}
	refused := 0
	for _, w := range wrongs(t) {
		root, problems := Read([]byte(w.src))
		if len(problems) > 0 {
			continue
		}
		bad := validate(t, schema, root) != nil
		if bad {
			refused++
		}
		if strings.Contains(w.said, "unknown field") || strings.Contains(w.said, "ttl: \"30\" has no unit") || strings.Contains(w.said, " needs \"") {
			assert.True(t, bad, w.src)
		}
	}
	assert.Greater(t, refused, 70)
}

// TestSchemaRefuses: each mistake is found at its place.
func TestSchemaRefuses(t *testing.T) {
	schema := validator(t)
	for src, place := range map[string]string{
		"qeues: {}":                                                              "/",
		"queues: {orders: {max_sise: 3}}":                                        "/queues/orders",
		"queues: {orders: {max_size: many}}":                                     "/queues/orders/max_size",
		"queues: {orders: {max_size: -1}}":                                       "/queues/orders/max_size",
		"queues: {orders: {visibility_timeout: 30}}":                             "/queues/orders/visibility_timeout",
		"queues: {orders: {visibility_timeout: 5 sec}}":                          "/queues/orders/visibility_timeout",
		"queues: {orders: {overflow: explode}}":                                  "/queues/orders/overflow",
		"queues: {orders: {retry: {backoff: sometimes}}}":                        "/queues/orders/retry/backoff",
		"queues: [orders]":                                                       "/queues",
		"topics: {news: {to: {a: b}}}":                                           "/topics/news/to",
		"producers: {shop: {rate: 5/s}}":                                         "/producers/shop",
		"producers: {shop: {to: orders, rate: 0.5/s}}":                           "/producers/shop/rate",
		"producers: {shop: {to: orders, send: [{id: 1, att: 3s}]}}":              "/producers/shop/send/0",
		"producers: {shop: {to: orders, send: [{id: [1]}]}}":                     "/producers/shop/send/0/id",
		"services: {mail: {latency: {mean: 1s, spread: normal}}}":                "/services/mail/latency",
		"services: {mail: {fails: {probability: 3}}}":                            "/services/mail/fails/probability",
		"tables: {seen: {effect: perhaps}}":                                      "/tables/seen/effect",
		"workers: {mailer: {from: orders}}":                                      "/workers/mailer",
		"workers: {mailer: {from: orders, handler: 3}}":                          "/workers/mailer/handler",
		"workers: {mailer: {from: orders, handler: x, crash: {where: nowhere}}}": "/workers/mailer/crash",
		"workers: {mailer: {from: orders, handler: x, restart_after: sometime}}": "/workers/mailer/restart_after",
		"timeline: [{at: 3, pause: shop}]":                                       "/timeline/0/at",
		"limits: {events: 0}":                                                    "/limits/events",
		"expect: lost == 0":                                                      "/expect",
		"seed: -1":                                                               "/seed",
		"until: tomorrow":                                                        "/until",
	} {
		root, problems := Read([]byte(src))
		require.NoError(t, problems.Err(), src)
		_, problems = Decode([]byte(src))
		assert.NotEmpty(t, problems, "the decoder refuses it as well: %s", src)
		var fault *jsonschema.ValidationError
		if assert.ErrorAs(t, validate(t, schema, root), &fault, src) {
			assert.Contains(t, places(fault), place, src)
		}
	}
}

// places are those of all faults within one.
func places(fault *jsonschema.ValidationError) []string {
	list := []string{"/" + strings.Join(fault.InstanceLocation, "/")}
	for _, cause := range fault.Causes {
		list = append(list, places(cause)...)
	}
	return list
}
