/**
 * The page for requests refused before the application, and for its failures: no script, no style sheet,
 * nothing else that could fail.
 *
 * @param sentence es-MX, trusted: it is not escaped
 */
export function plainPage(status: number, sentence: string): string {
  return `<!doctype html>
<html lang="es-MX">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status} · Rúbrica</title>
<main>
<h1>No fue posible atender la solicitud</h1>
<p role="alert">${sentence}</p>
<p><a href="/">Ir a la página principal</a></p>
</main>
</html>
`
}
