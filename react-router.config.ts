import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '@react-router/dev/config'
import { routesOfBrowser } from './app/hydrated-paths.ts'

export default {
  ssr: true,
  // Lazy discovery would need an endpoint that responds before the guards and names documents in its URL.
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => trimManifest(reactRouterConfig.buildDirectory),
} satisfies Config

type BuiltRoute = {
  id: string
  parentId?: string
  path?: string
  imports: string[]
  hasLoader: boolean
}

/**
 * Leaves in the browser's manifest the routes that it can use, and of each what its client reads: a missing flag is as good as a
 * false one, and the imports of a module are for links that fetch it in advance, of which there are none.
 *
 * @throws {Error} if the build has no such file: React Router changed how it sends its routes
 */
function trimManifest(build: string): void {
  const [file = ''] = globSync(path.join(build, 'client/assets/manifest-*.js'))
  const [, start, json, end] =
    /^(window\.__reactRouterManifest=)(\{.*\})(;)$/s.exec(readFileSync(file, 'utf8')) ?? []
  if (!json) throw new Error(`${file} is not the manifest of React Router`)
  const { routes, ...others } = JSON.parse(json) as { routes: Record<string, BuiltRoute> }
  const read = Object.entries(routesOfBrowser(routes)).map(([id, { imports, ...route }]) => [
    id,
    Object.fromEntries(Object.entries(route).filter(([, value]) => value !== false)),
  ])
  const manifest = { ...others, routes: Object.fromEntries(read) }
  writeFileSync(file, start + JSON.stringify(manifest) + end)
}
