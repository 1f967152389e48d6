// Issues an address, waits for a mail with a one-time code, and prints the code. Go 1.19 or newer, with its standard library alone.
// Run it: MAYFLY_API_KEY=svc_live_… go run main.go
// MAYFLY_BASE_URL says where the API is.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// An answer of the API, with the members that this program reads.
type answer[T any] struct {
	Data  T
	Error string // for people
	Code  string // for programs, such as NOT_FOUND
}

type address struct {
	ID      string
	Address string
	Cursor  string // the position before its first mail
}

type email struct {
	From    string
	Subject string
	Codes   []string // the most likely one first
}

var baseURL = strings.TrimSuffix(environment("MAYFLY_BASE_URL", "http://localhost:3000"), "/")

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	inbox, _, err := call[address]("POST", "/addresses", map[string]any{"expiresIn": 600}) // seconds
	if err != nil {
		return err
	}
	defer call[any]("DELETE", "/addresses/"+inbox.ID, nil)
	fmt.Println("Send a mail with a code to", inbox.Address)

	mail, err := waitFor(inbox, 5*time.Minute)
	if err != nil {
		return err
	}
	if len(mail.Codes) == 0 {
		return fmt.Errorf("the mail %q of %s has no code", mail.Subject, mail.From)
	}
	fmt.Println("The code is", mail.Codes[0])
	return nil
}

// Returns the first mail of the address: the server answers as soon as it arrives, and with 204 when none does in 30 seconds.
func waitFor(inbox address, timeout time.Duration) (email, error) {
	query := url.Values{"address_id": {inbox.ID}, "after": {inbox.Cursor}, "timeout": {"30"}}
	for end := time.Now().Add(timeout); time.Now().Before(end); {
		mail, status, err := call[email]("GET", "/emails/wait?"+query.Encode(), nil)
		if err != nil || status != http.StatusNoContent {
			return mail, err
		}
	}
	return email{}, fmt.Errorf("no mail came to %s within %s", inbox.Address, timeout)
}

var client = http.Client{Timeout: 40 * time.Second} // longer than a wait

// Sends a request, and returns the data of the answer with its status.
func call[T any](method, path string, body any) (data T, status int, err error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return data, 0, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, baseURL+"/api/v1"+path, content)
	if err != nil {
		return data, 0, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MAYFLY_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return data, 0, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNoContent {
		return data, response.StatusCode, nil
	}
	var result answer[T]
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		return data, response.StatusCode, fmt.Errorf("%s %s: %s, without JSON: %w", method, path, response.Status, err)
	}
	if response.StatusCode >= 400 {
		return data, response.StatusCode, fmt.Errorf("%s %s: %s (%s)", method, path, result.Error, result.Code)
	}
	return result.Data, response.StatusCode, nil
}

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
