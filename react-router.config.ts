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

/**
 * Leaves in the browser's manifest the routes that it can use.
 *
 * @throws {Error} if the build has no such file: React Router changed how it sends its routes
 */
function trimManifest(build: string): void {
  const [file = ''] = globSync(path.join(build, 'client/assets/manifest-*.js'))
  const [, start, json, end] =
    /^(window\.__reactRouterManifest=)(\{.*\})(;)$/s.exec(readFileSync(file, 'utf8')) ?? []
  if (!json) throw new Error(`${file} is not the manifest of React Router`)
  const manifest = JSON.parse(json) as { routes: Parameters<typeof routesOfBrowser>[0] }
  manifest.routes = routesOfBrowser(manifest.routes)
  writeFileSync(file, start + JSON.stringify(manifest) + end)
}
