package dev.unjank.doctor.report.html;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A real Chromium without a window, driven through chromedriver by the W3C's WebDriver protocol: HTTP with JSON. It has
 * no network: every host's name resolves to nothing. Tests are skipped where no Chromium is installed.
 */
final class HeadlessBrowser implements AutoCloseable {
    private static final String DRIVER = "chromedriver";
    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final String STARTED = "started successfully on port ";

    /** Nobody waits so long: what takes it hangs, on however busy a machine. */
    private static final int PATIENCE_MILLIS = 300_000;

    private final Process driver;
    private final String session;

    private HeadlessBrowser(Process driver, int port, Path binary) {
        this.driver = driver;
        String root = "http://127.0.0.1:" + port;
        Map<String, Object> options = Map.of(
                "binary",
                binary.toString(),
                "args",
                List.of(
                        "--headless=new",
                        "--no-sandbox", // a container's root has no other choice
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--hide-scrollbars",
                        "--force-color-profile=srgb",
                        "--host-resolver-rules=MAP * ~NOTFOUND"));
        Map<String, Object> wishes = Map.of(
                "browserName",
                "chrome",
                "timeouts",
                Map.of("script", PATIENCE_MILLIS, "pageLoad", PATIENCE_MILLIS),
                "goog:chromeOptions",
                options,
                "goog:loggingPrefs",
                Map.of("browser", "ALL", "performance", "ALL"));
        Map<?, ?> answer =
                (Map<?, ?>) call("POST", root + "/session", Map.of("capabilities", Map.of("alwaysMatch", wishes)));
        this.session = root + "/session/" + answer.get("sessionId");
    }

    /** Starts a browser, or skips the test that asks. */
    static HeadlessBrowser start() {
        Path driver = onPath(Stream.of(DRIVER));
        Path binary = onPath(BROWSERS.stream());
        assumeTrue(
                driver != null && binary != null,
                "no chromium with chromedriver on the PATH (apt install chromium chromium-driver)");
        try {
            Process process = new ProcessBuilder(driver.toString(), "--port=0")
                    .redirectErrorStream(true)
                    .start();
            BufferedReader said = process.inputReader();
            for (String line; (line = said.readLine()) != null; ) {
                int at = line.indexOf(STARTED);
                if (at >= 0) {
                    String port = line.substring(at + STARTED.length()).replaceAll("\\D.*", "");
                    Thread.ofVirtual().start(() -> said.lines().forEach(rest -> {})); // lest the pipe fill
                    return new HeadlessBrowser(process, Integer.parseInt(port), binary);
                }
            }
            return abort("chromedriver does not start here");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path onPath(Stream<String> names) {
        List<String> folders = List.of(System.getenv("PATH").split(File.pathSeparator));
        return names.flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** Opens a page in a window of a size and a colour scheme, and forgets what was logged before. */
    void open(Path page, int width, int height, String scheme) {
        devTools(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        width,
                        "height",
                        height,
                        "deviceScaleFactor",
                        width < 500 ? 2 : 1,
                        "mobile",
                        width < 500));
        devTools(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        command("url", Map.of("url", "about:blank"));
        log("browser");
        log("performance");
        command("url", Map.of("url", page.toUri().toString().replace("%23", "#")));
        run("""
                return new Promise(done => {
                  const look = () => requestAnimationFrame(document.body.dataset.ready === undefined ? look : done);
                  look();
                })""");
        settle();
    }

    /** Opens one of the page's tabs. */
    void openTab(String name) {
        click("#tab-" + name);
    }

    Object devTools(String command, Map<String, ?> parameters) {
        return command("goog/cdp/execute", Map.of("cmd", command, "params", parameters));
    }

    /** Runs a script in the page, outside its policy, and returns what it returns; a promise is waited for. */
    Object run(String script, Object... arguments) {
        return command("execute/sync", Map.of("script", script, "args", List.of(arguments)));
    }

    String text(String script, Object... arguments) {
        return String.valueOf(run(script, arguments));
    }

    long number(String script, Object... arguments) {
        return ((Number) run(script, arguments)).longValue();
    }

    /**
     * Types keys into what has the focus. Special keys are those of the protocol, such as U+E015 for the down arrow.
     */
    void press(String... keys) {
        List<Map<String, ?>> actions = new ArrayList<>();
        for (String key : keys) {
            actions.add(Map.of("type", "keyDown", "value", key));
            actions.add(Map.of("type", "keyUp", "value", key));
        }
        perform(Map.of("type", "key", "id", "keyboard", "actions", actions));
        settle();
    }

    /** Clicks the first element of a selector. */
    void click(String selector) {
        run(
                "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' }); document.querySelector(arguments[0]).click()",
                selector);
        settle();
    }

    /** Turns the wheel over the middle of an element. */
    void wheel(String selector, int deltaY) {
        Object place = point(selector);
        List<?> xy = (List<?>) place;
        perform(Map.of(
                "type",
                "wheel",
                "id",
                "wheel",
                "actions",
                List.of(Map.of(
                        "type",
                        "scroll",
                        "x",
                        xy.get(0),
                        "y",
                        xy.get(1),
                        "deltaX",
                        0,
                        "deltaY",
                        deltaY,
                        "origin",
                        "viewport"))));
        settle();
    }

    /** Presses the mouse in the middle of an element, moves it and lets go; no movement is a click. */
    void drag(String selector, int deltaX) {
        List<?> xy = (List<?>) point(selector);
        long x = ((Number) xy.get(0)).longValue();
        perform(Map.of(
                "type",
                "pointer",
                "id",
                "mouse",
                "actions",
                List.of(
                        Map.of("type", "pointerMove", "x", x, "y", xy.get(1)),
                        Map.of("type", "pointerDown", "button", 0),
                        Map.of("type", "pointerMove", "x", x + deltaX, "y", xy.get(1), "duration", 50),
                        Map.of("type", "pointerUp", "button", 0))));
        settle();
    }

    /** Moves the mouse to a place as far from the middle of an element, without a button. */
    void hover(String selector, int deltaX, int deltaY) {
        List<?> xy = (List<?>) point(selector);
        perform(Map.of(
                "type",
                "pointer",
                "id",
                "mouse",
                "actions",
                List.of(Map.of(
                        "type",
                        "pointerMove",
                        "x",
                        ((Number) xy.get(0)).longValue() + deltaX,
                        "y",
                        ((Number) xy.get(1)).longValue() + deltaY))));
        settle();
    }

    /** Puts two fingers on an element, so far to the left and right of its middle, and moves them apart or together. */
    void pinch(String selector, int from, int to) {
        List<?> xy = (List<?>) point(selector);
        long x = ((Number) xy.get(0)).longValue();
        perform(List.of(finger("left", x - from, x - to, xy.get(1)), finger("right", x + from, x + to, xy.get(1))));
        settle();
    }

    private static Map<String, ?> finger(String name, long from, long to, Object y) {
        return Map.of(
                "type",
                "pointer",
                "id",
                name,
                "parameters",
                Map.of("pointerType", "touch"),
                "actions",
                List.of(
                        Map.of("type", "pointerMove", "x", from, "y", y),
                        Map.of("type", "pointerDown", "button", 0),
                        Map.of("type", "pointerMove", "x", to, "y", y, "duration", 100),
                        Map.of("type", "pointerUp", "button", 0)));
    }

    private Object point(String selector) {
        return run("""
                const target = document.querySelector(arguments[0]);
                target.scrollIntoView({ block: 'center' });
                const box = target.getBoundingClientRect();
                return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]""", selector);
    }

    private void perform(Map<String, ?> device) {
        perform(List.of(device));
    }

    private void perform(List<Map<String, ?>> devices) {
        command("actions", Map.of("actions", devices));
    }

    /** Until the page has drawn what it is to draw. */
    private void settle() {
        run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }

    /** What the page's console and the browser complained of since it was opened. */
    List<String> complaints() {
        return log("browser").stream()
                .map(entry -> entry.get("level") + " " + entry.get("message"))
                .filter(line -> !line.startsWith("DEBUG") && !line.startsWith("INFO"))
                .toList();
    }

    /** The addresses that the page asked for since it was opened, itself among them. */
    List<String> requests() {
        return log("performance").stream()
                .map(entry -> (Map<?, ?>) ((Map<?, ?>) read((String) entry.get("message"))).get("message"))
                .filter(message -> "Network.requestWillBeSent".equals(message.get("method")))
                .map(message -> (Map<?, ?>) ((Map<?, ?>) message.get("params")).get("request"))
                .map(request -> (String) request.get("url"))
                .filter(url -> !url.startsWith("data:"))
                .toList();
    }

    @SuppressWarnings("unchecked") // the protocol says so
    private List<Map<String, Object>> log(String kind) {
        return (List<Map<String, Object>>) command("se/log", Map.of("type", kind));
    }

    /** Stores what the window shows. */
    Path screenshot(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.write(file, Base64.getDecoder().decode((String) call("GET", session + "/screenshot", null)));
    }

    private Object command(String path, Map<String, ?> body) {
        return call("POST", session + "/" + path, body);
    }

    private static Object call(String method, String url, Map<String, ?> body) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            connection.setRequestMethod(method);
            connection.setReadTimeout(PATIENCE_MILLIS);
            if (body != null) {
                connection.setDoOutput(true);
                connection.setRequestProperty("Content-Type", "application/json");
                connection.getOutputStream().write(written(body).getBytes(StandardCharsets.UTF_8));
            }
            boolean fine = connection.getResponseCode() == HttpURLConnection.HTTP_OK;
            try (InputStream in = fine ? connection.getInputStream() : connection.getErrorStream()) {
                Map<?, ?> answer = (Map<?, ?>) read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                if (!fine) {
                    throw new AssertionError(method + " " + url + ": " + answer.get("value"));
                }
                return answer.get("value");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String written(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeName((String) entry.getKey());
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                for (Object one : list) {
                    write(json, one);
                }
                json.writeEndArray();
            }
            case Boolean flag -> json.writeBoolean(flag);
            case Number number -> json.writeNumber(number.longValue());
            default -> json.writeString(value.toString());
        }
    }

    static Object read(String text) {
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            return value(json, json.nextToken());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object value(JsonParser json, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String key = json.currentName();
                    map.put(key, value(json, json.nextToken()));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                for (JsonToken next; (next = json.nextToken()) != JsonToken.END_ARRAY; ) {
                    list.add(value(json, next));
                }
                yield list;
            }
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> json.getString();
        };
    }

    @Override
    public void close() {
        try {
            call("DELETE", session, null);
        } finally {
            driver.destroy();
        }
    }
}
