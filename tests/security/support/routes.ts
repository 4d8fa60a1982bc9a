import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const SOME_ID = '00000000-0000-4000-8000-000000000000'

const HAS_ACTION = /export (?:async )?function action|export const action|export \{[^}]*\baction\b/

/**
 * The addresses behind which something is changed by POST, as the site map has them; calls left out.
 *
 * @throws {Error} if a module with an action has no address here
 */
export function mutatingRoutes(): string[] {
  const source = readFileSync('app/routes.ts', 'utf8')
  const inDashboard = source.slice(
    source.indexOf("prefix('dashboard'"),
    source.indexOf("not-found.tsx'),\n        ])"),
  )
  const found = [...source.matchAll(/(?:route\(\s*'([^']*)',\s*|index\(\s*)'(routes\/[^']+)'/g)]
  const missing = new Set(modulesWithAction())
  const routes = found.flatMap(([whole, pattern = '', file = '']) => {
    if (!HAS_ACTION.test(readFileSync(path.join('app', file), 'utf8'))) return []
    missing.delete(file)
    const isInside = inDashboard.includes(whole)
    return [
      `/${isInside ? 'dashboard/' : ''}${pattern}`
        .replace(/:version/, '1')
        .replace(/:\w+/g, SOME_ID),
    ]
  })
  if (missing.size > 0) throw new Error(`without an address: ${[...missing]}`)
  return [...new Set(routes)].filter((route) => !route.startsWith('/api') && !route.includes('*'))
}

const modulesWithAction = () =>
  readdirSync('app/routes', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join('routes', file))
    .filter((file) => HAS_ACTION.test(readFileSync(path.join('app', file), 'utf8')))
