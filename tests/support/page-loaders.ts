import path from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import {
  createStaticHandler,
  type DataRouteObject,
  RouterContextProvider,
  type StaticHandlerContext,
} from 'react-router'
import { requestContext, systemContext } from '#app/http/context.ts'
import routes from '#app/routes.ts'
import type { System } from '#server/system.ts'

/** Every page of the site map: a route with something to show and no routes below it. */
export type Pages = {
  /** By the id of their routes, `routes/users/list`. */
  ids: readonly string[]
  /** The ids of the other routes that answer a GET: files, and calls of pages. */
  files: readonly string[]
  /**
   * Runs the guards and loaders of one page as a visit without scripts does, and returns the id of the page that
   * answered. @throws the error of a loader; an error for a redirection
   */
  load(system: System, address: string, cookies?: string): Promise<string>
  /** What the same visit gets to draw, as JSON, with what it is told instead of a page. */
  read(
    system: System,
    address: string,
    cookies?: string,
  ): Promise<{ isPage: boolean; text: string }>
  /** What a route of `files` answers. */
  fetch(system: System, address: string, headers?: Record<string, string>): Promise<Response>
}

type RouteModule = Partial<Pick<DataRouteObject, 'loader' | 'middleware'>> & { default?: unknown }

type Found = Record<'ids' | 'files', string[]>

/** The pages as `app/routes.ts` lists them, without a build: nothing is drawn. */
export async function readPages(): Promise<Pages> {
  const found: Found = { ids: [], files: [] }
  const handler = createStaticHandler([
    {
      ...(await dataRoute('root', 'root.tsx')),
      children: await Promise.all(routes.map((entry) => routeOf(entry, found))),
    },
  ])
  async function visit(system: System, address: string, cookies: string) {
    const request = new Request(`https://localhost${address}`, { headers: { Cookie: cookies } })
    const loaded: { context?: StaticHandlerContext } = {}
    const answer = await handler.query(request, {
      requestContext: contextFor(system),
      async generateMiddlewareResponse(query) {
        const result = await query(request)
        if (result instanceof Response) return result
        loaded.context = result
        return new Response()
      },
    })
    return { answer, context: loaded.context }
  }
  return {
    ...found,
    async load(system, address, cookies = '') {
      const { answer, context } = await visit(system, address, cookies)
      const [error] = Object.values(context?.errors ?? {})
      if (error) throw error
      if (!context) throw new Error(`${address} answers without a page: ${answered(answer)}`)
      if (context.statusCode !== 200) throw new Error(`${address} answers ${context.statusCode}`)
      return context.matches.at(-1)?.route.id ?? ''
    },
    async read(system, address, cookies = '') {
      const { answer, context } = await visit(system, address, cookies)
      if (!context) return { isPage: false, text: answered(answer) }
      const { errors, loaderData, statusCode } = context
      const [error] = Object.values(errors ?? {})
      const said = error instanceof Error ? error.message : error
      const shown = await Promise.all(Object.values(loaderData).map(settled))
      return { isPage: statusCode === 200, text: JSON.stringify([said, shown]) }
    },
    async fetch(system, address, headers = {}) {
      const request = new Request(`https://localhost${address}`, { headers })
      const answer: unknown = await handler
        .queryRoute(request, {
          requestContext: contextFor(system),
          generateMiddlewareResponse: async (query) => query(request),
        })
        .catch((thrown: unknown) => thrown)
      if (answer instanceof Response) return answer
      throw answer
    },
  }
}

/** With what a page gets later. */
async function settled(data: unknown): Promise<unknown> {
  if (!(data instanceof Object)) return data
  const entries = Object.entries(data).map(async ([name, value]) => [name, await value])
  return Object.fromEntries(await Promise.all(entries))
}

const answered = (answer: unknown) =>
  answer instanceof Response ? `${answer.status} ${answer.headers.get('Location')}` : String(answer)

function contextFor(system: System): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(systemContext, system)
  context.set(requestContext, { id: 'request-1', nonce: '', ip: '203.0.113.7', userAgent: '' })
  return context
}

async function routeOf(entry: RouteConfigEntry, found: Found): Promise<DataRouteObject> {
  const id = entry.id ?? entry.file.replace(/\.tsx?$/, '')
  const route = await dataRoute(id, entry.file)
  if (!entry.children && route.isPage) found.ids.push(id)
  if (!entry.children && !route.isPage && route.loader) found.files.push(id)
  if (entry.index)
    return { ...route, index: true, ...(entry.path !== undefined && { path: entry.path }) }
  const children = await Promise.all((entry.children ?? []).map((child) => routeOf(child, found)))
  return {
    ...route,
    ...(entry.path !== undefined && { path: entry.path }),
    ...(entry.children && { children }),
  }
}

async function dataRoute(id: string, file: string) {
  const module: RouteModule = await import(path.resolve('app', file))
  const { loader, middleware } = module
  return {
    id,
    isPage: module.default !== undefined,
    ...(loader && { loader }),
    ...(middleware && { middleware }),
  }
}
