import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Issues an address, waits for a mail with a one-time code, and prints the code. Java 17 or newer, with Jackson for JSON.
 * Run it: MAYFLY_API_KEY=svc_live_… mvn -q compile exec:java
 * MAYFLY_BASE_URL says where the API is.
 */
public class WaitForCode {
  private static final String BASE_URL = System.getenv().getOrDefault("MAYFLY_BASE_URL", "http://localhost:3000").replaceFirst("/$", "");
  private static final String API_KEY = System.getenv().getOrDefault("MAYFLY_API_KEY", "");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws IOException, InterruptedException {
    JsonNode inbox = call("POST", "/addresses", Map.of("expiresIn", 600)); // seconds
    String id = inbox.get("id").asText();
    try {
      System.out.println("Send a mail with a code to " + inbox.get("address").asText());
      JsonNode mail = waitFor(id, inbox.get("cursor").asText(), Duration.ofMinutes(5));
      JsonNode codes = mail.get("codes"); // the most likely one first
      if (codes.isEmpty()) throw new IllegalStateException("the mail " + mail.get("subject") + " of " + mail.get("from") + " has no code");
      System.out.println("The code is " + codes.get(0).asText());
    } finally {
      call("DELETE", "/addresses/" + id, null);
    }
  }

  /** Returns the first mail of the address: the server answers as soon as it arrives, and with 204 when none does in 30 seconds. */
  private static JsonNode waitFor(String addressId, String cursor, Duration timeout) throws IOException, InterruptedException {
    for (Instant end = Instant.now().plus(timeout); Instant.now().isBefore(end);) {
      JsonNode mail = call("GET", "/emails/wait?address_id=" + addressId + "&after=" + cursor + "&timeout=30", null);
      if (mail != null) return mail;
    }
    throw new IllegalStateException("no mail came within " + timeout.toSeconds() + " seconds");
  }

  /** Sends a request. Returns the data of the answer, or null where it has no body. */
  private static JsonNode call(String method, String path, Object body) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(BASE_URL + "/api/v1" + path))
        .header("Authorization", "Bearer " + API_KEY)
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(40)) // longer than a wait
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(JSON.writeValueAsString(body)))
        .build();
    HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
    if (response.statusCode() == 204) return null;
    JsonNode answer = JSON.readTree(response.body());
    if (response.statusCode() < 400) return answer.get("data");
    // a sentence for people, and a code for programs, such as NOT_FOUND
    throw new IOException(method + " " + path + ": " + answer.path("error").asText() + " (" + answer.path("code").asText() + ")");
  }
}
