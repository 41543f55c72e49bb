// The connection to the server: says hello, comes again after a break, and hands every message on.

const FIRST_WAIT = 500, LONGEST_WAIT = 8000;

export function connect(hello, hear) {
  let socket = null, wait = FIRST_WAIT;

  function open() {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/wire`);
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT;
      status("");
      socket.send(JSON.stringify(hello));
    });
    socket.addEventListener("message", event => hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      status("The connection is lost; trying again …");
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    });
  }

  open();
  return message => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    return socket.readyState === WebSocket.OPEN;
  };
}

function status(words) {
  document.getElementById("status").textContent = words;
}

export function complain(words) {
  const problem = document.getElementById("problem");
  problem.textContent = words;
  problem.hidden = !words;
}
