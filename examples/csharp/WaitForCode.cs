using System;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

// Issues an address, waits for a mail with a one-time code, and prints the code. .NET 8 or newer, or Mono.
// Run it: MAYFLY_API_KEY=svc_live_… dotnet run
// MAYFLY_BASE_URL says where the API is.
static class WaitForCode
{
    static readonly string BaseUrl = (Environment.GetEnvironmentVariable("MAYFLY_BASE_URL") ?? "http://localhost:3000").TrimEnd('/');
    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(40) }; // longer than a wait

    static void Main() => Run().GetAwaiter().GetResult();

    static async Task Run()
    {
        Client.DefaultRequestHeaders.Add("Authorization", "Bearer " + Environment.GetEnvironmentVariable("MAYFLY_API_KEY"));
        var inbox = await Call(HttpMethod.Post, "/addresses", new JObject { ["expiresIn"] = 600 }); // seconds
        try
        {
            Console.WriteLine($"Send a mail with a code to {inbox["address"]}");
            var mail = await WaitFor(inbox, TimeSpan.FromMinutes(5));
            var code = mail["codes"].First; // the most likely one
            if (code == null) throw new Exception($"the mail \"{mail["subject"]}\" of {mail["from"]} has no code");
            Console.WriteLine($"The code is {code}");
        }
        finally
        {
            await Call(HttpMethod.Delete, $"/addresses/{inbox["id"]}");
        }
    }

    // Returns the first mail of the address: the server answers as soon as it arrives, and with 204 when none does in 30 seconds.
    static async Task<JToken> WaitFor(JToken inbox, TimeSpan timeout)
    {
        for (var end = DateTime.UtcNow + timeout; DateTime.UtcNow < end;)
        {
            var mail = await Call(HttpMethod.Get, $"/emails/wait?address_id={inbox["id"]}&after={inbox["cursor"]}&timeout=30");
            if (mail != null) return mail;
        }
        throw new Exception($"no mail came to {inbox["address"]} within {timeout}");
    }

    // Sends a request. Returns the data of the answer, or null where it has no body.
    static async Task<JToken> Call(HttpMethod method, string path, JObject body = null)
    {
        var request = new HttpRequestMessage(method, BaseUrl + "/api/v1" + path);
        if (body != null) request.Content = new StringContent(body.ToString(), Encoding.UTF8, "application/json");
        var response = await Client.SendAsync(request);
        if (response.StatusCode == HttpStatusCode.NoContent) return null;
        var answer = JObject.Parse(await response.Content.ReadAsStringAsync());
        if (response.IsSuccessStatusCode) return answer["data"];
        // a sentence for people, and a code for programs, such as NOT_FOUND
        throw new Exception($"{method} {path}: {answer["error"]} ({answer["code"]})");
    }
}
