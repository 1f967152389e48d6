export const signUpPage = (problem = '') => page('Sign up', problem, `
  <form method="post" action="/">
    <label>Email <input name="email" type="email" required></label>
    <button>Sign up</button>
  </form>`)

export const codePage = (email: string, problem = '') => page('Check your mail', problem, `
  <p>We sent a code to ${escape(email)}.</p>
  <form method="post">
    <label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code"></label>
    <button>Confirm</button>
    <button name="again">Send another</button>
  </form>`)

export const welcomePage = (email: string) => page(`Welcome, ${escape(email)}`, '', '<p>The shop is yours.</p>')

const page = (title: string, problem: string, main: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Corner Shop</title>
<h1>${title}</h1>
${problem && `<p role="alert">${problem}</p>`}
${main}
`

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
