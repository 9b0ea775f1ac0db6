package share

// The compression by itself, for tests.
var (
	Squeeze = squeeze
	Release = release
)
