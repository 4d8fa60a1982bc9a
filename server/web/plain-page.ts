/**
 * The page for what is refused before the application is reached, and for when it fails: no script, no
 * style sheet, nothing that could fail too.
 *
 * @param sentence es-MX, ours: it is not escaped
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
