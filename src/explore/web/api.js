// Questions to the program. Addresses are relative, so they carry the page's own token.

async function answered(response) {
  if (response.ok) return response;
  let why = `${response.status} ${response.statusText}`;
  try {
    why = (await response.json()).error;
  } catch {
    // The status says it.
  }
  throw Object.assign(new Error(why), { status: response.status });
}

function post(question, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return fetch(`api/${question}`, { method: "POST", headers, body: JSON.stringify(body), signal }).then(answered);
}

export const get = (question) => fetch(`api/${question}`).then(answered).then((response) => response.json());
export const ask = (question, body, signal) => post(question, body, signal).then((response) => response.json());
export const file = (question, body) => post(question, body).then((response) => response.blob());

// Hands each line of an answer to `told` as it comes.
export async function follow(question, body, signal, told) {
  const response = await post(question, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) told(JSON.parse(line));
  }
}
