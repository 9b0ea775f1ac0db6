// Package tls takes the place of crypto/tls when the page's program is
// compiled. go-app brings net/http along, and net/http crypto/tls: a tenth of
// the program, which no page can use, because the browser makes the
// connections. Here is what net/http mentions of it, and it refuses.
package tls

import (
	"context"
	"errors"
	"net"
)

var errBrowser = errors.New("tls: in a page the browser makes the connections")

// Certificate has nothing to certify.
type Certificate struct{}

// ClientHelloInfo is never given.
type ClientHelloInfo struct{}

// ConnectionState is that of no connection.
type ConnectionState struct {
	HandshakeComplete          bool
	NegotiatedProtocol         string
	NegotiatedProtocolIsMutual bool
	ServerName                 string
}

// Config configures nothing.
type Config struct {
	NextProtos         []string
	ServerName         string
	Certificates       []Certificate
	GetCertificate     func(*ClientHelloInfo) (*Certificate, error)
	GetConfigForClient func(*ClientHelloInfo) (*Config, error)
}

// Clone returns c.
func (c *Config) Clone() *Config { return c }

// Conn is a connection that shakes no hands.
type Conn struct{ net.Conn }

// Client returns a connection that Handshake refuses.
func Client(c net.Conn, _ *Config) *Conn { return &Conn{c} }

// Handshake refuses.
func (*Conn) Handshake() error { return errBrowser }

// HandshakeContext refuses.
func (*Conn) HandshakeContext(context.Context) error { return errBrowser }

// VerifyHostname refuses.
func (*Conn) VerifyHostname(string) error { return errBrowser }

// ConnectionState returns that of no connection.
func (*Conn) ConnectionState() ConnectionState { return ConnectionState{} }

// NetConn returns the connection below.
func (c *Conn) NetConn() net.Conn { return c.Conn }

// NewListener returns l: nothing listens in a page.
func NewListener(l net.Listener, _ *Config) net.Listener { return l }

// Listen refuses.
func Listen(_, _ string, _ *Config) (net.Listener, error) { return nil, errBrowser }

// LoadX509KeyPair refuses.
func LoadX509KeyPair(_, _ string) (Certificate, error) { return Certificate{}, errBrowser }

// RecordHeaderError is never met.
type RecordHeaderError struct {
	Msg          string
	RecordHeader [5]byte
	Conn         net.Conn
}

// Error returns the message.
func (e RecordHeaderError) Error() string { return e.Msg }
