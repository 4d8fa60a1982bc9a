import { readFileSync } from 'node:fs'
import path from 'node:path'

const SOME_ID = '00000000-0000-4000-8000-000000000000'

/** The addresses behind which something is changed by POST, as the site map has them; calls left out. */
export function mutatingRoutes(): string[] {
  const source = readFileSync('app/routes.ts', 'utf8')
  const inDashboard = source.slice(
    source.indexOf("prefix('dashboard'"),
    source.indexOf("not-found.tsx'),\n        ])"),
  )
  const found = [...source.matchAll(/(?:route\('([^']*)', |index\()'(routes\/[^']+)'/g)]
  const routes = found.flatMap(([whole, pattern = '', file = '']) => {
    const module = readFileSync(path.join('app', file), 'utf8')
    if (
      !/export (?:async )?function action|export const action|export \{[^}]*\baction\b/.test(module)
    )
      return []
    const isInside = inDashboard.includes(whole)
    return [
      `/${isInside ? 'dashboard/' : ''}${pattern}`
        .replace(/:version/, '1')
        .replace(/:\w+/g, SOME_ID),
    ]
  })
  return [...new Set(routes)].filter((route) => !route.startsWith('/api') && !route.includes('*'))
}
