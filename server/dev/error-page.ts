import { inspect, stripVTControlCharacters } from 'node:util'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What stands in the browser while the pages cannot be run: why, until the source is mended. */
export function errorPage(error: unknown, nonce: string): string {
  const said = stripVTControlCharacters(inspect(error))
  return `<!doctype html>
<html lang="es-MX">
<meta charset="utf-8">
<title>Error en el código fuente</title>
<script type="module" src="/server/dev/reload-page.ts" nonce="${nonce}"></script>
<pre>${said.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? '')}</pre>
</html>
`
}
