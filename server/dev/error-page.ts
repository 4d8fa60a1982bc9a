import { inspect, stripVTControlCharacters } from 'node:util'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The page that shows why the sources cannot run. It reloads itself when a source changes. */
export function errorPage(error: unknown, nonce: string): string {
  const text = stripVTControlCharacters(inspect(error))
  return `<!doctype html>
<html lang="es-MX">
<meta charset="utf-8">
<title>Error en el código fuente</title>
<script type="module" src="/server/dev/reload-page.ts" nonce="${nonce}"></script>
<pre>${text.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? '')}</pre>
</html>
`
}
