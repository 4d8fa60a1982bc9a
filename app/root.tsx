import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '#app/theme/theme.css'
import '#app/theme/base.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { data, Meta, Outlet, Scripts, useLocation, useRouteLoaderData } from 'react-router'
import { useShouldHydrate } from 'remix-utils/use-should-hydrate'
import { reportFailedLoad } from '#app/client/failed-loads.ts'
import { answerToScript } from '#app/http/answer-to-script.ts'
import {
  actorContext,
  noteRouteContext,
  resumedPathContext,
  systemContext,
} from '#app/http/context.ts'
import { readTheme } from '#app/http/cookies/cookies.ts'
import { clearFlash, readFlash } from '#app/http/cookies/flash.ts'
import { csrfTokenOfPage } from '#app/http/csrf.ts'
import { drainBody } from '#app/http/drain-body.ts'
import { takeShownForm } from '#app/http/kept-form.ts'
import { loadActor } from '#app/http/load-actor.ts'
import { refuseDataOfFiles } from '#app/http/refuse-data-of-files.ts'
import { shownPerson } from '#app/http/shown-person.ts'
import { isHydratedPath } from '#app/hydrated-paths.ts'
import { theme } from '#app/theme/theme.ts'
import { DevelopmentHead } from '#app/ui/frame/development-head.tsx'
import { ErrorPage } from '#app/ui/frame/error-page.tsx'
import { HydratesContext } from '#app/ui/frame/hydrates.ts'
import { useNonce } from '#app/ui/frame/nonce.ts'
import { PageScript } from '#app/ui/frame/page-script.tsx'
import { PageStyles } from '#app/ui/frame/page-styles.tsx'
import { PublicFrame } from '#app/ui/frame/public-frame.tsx'
import type { Route } from './+types/root'

/** Tells the server which route answers the request: `/dashboard/documents/:id`, never the address itself. */
const noteRoute: Route.MiddlewareFunction = async ({ pattern, context }, next) => {
  context.get(noteRouteContext)(`/${pattern}`)
  return await next()
}

export const middleware: Route.MiddlewareFunction[] = [
  noteRoute,
  drainBody,
  answerToScript,
  refuseDataOfFiles,
  loadActor,
]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [reportFailedLoad]

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const flash = readFlash(request)
  const values = {
    theme: readTheme(request),
    csrf: csrfTokenOfPage(url.pathname, context),
    flash,
    isDemo: context.get(systemContext).settings.isDemo,
    person: shownPerson(context.get(actorContext)),
    resumedPath: context.get(resumedPathContext),
    kept: await takeShownForm(request, context, url),
  }
  return flash ? data(values, { headers: { 'Set-Cookie': clearFlash() } }) : data(values)
}

export const meta: Route.MetaFunction = () => [{ title: 'Rúbrica' }]

/** Stops Mantine from changing <html>: the color scheme comes from the cookie, and CSS resolves `auto`. */
const noElement = () => undefined

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce()
  const isHydrated = useShouldHydrate()
  const root = useRouteLoaderData<typeof loader>('root')
  const scheme = root?.theme ?? 'system'
  return (
    <html lang="es-MX" data-mantine-color-scheme={scheme === 'system' ? 'auto' : scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <PageStyles isHydrated={isHydrated} />
        {import.meta.env.DEV && <DevelopmentHead isHydrated={isHydrated} />}
      </head>
      <body>
        <MantineProvider
          theme={theme}
          withCssVariables={false}
          withGlobalClasses={false}
          getStyleNonce={() => nonce}
          getRootElement={noElement}
        >
          <HydratesContext value={isHydrated}>{children}</HydratesContext>
        </MantineProvider>
        <PageScript
          reader={root?.person ? 'person' : 'stranger'}
          resumedPath={root?.resumedPath ?? null}
        />
        {isHydrated && <Scripts nonce={nonce} />}
      </body>
    </html>
  )
}

export default Outlet

/** Catches errors outside the layouts. Signed-in users are not offered to sign in. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<typeof loader>('root')
  const { pathname } = useLocation()
  const isInside = !!root?.person || isHydratedPath(pathname)
  return (
    <PublicFrame isInside={isInside}>
      <ErrorPage error={error} home={isInside ? '/dashboard' : '/'} />
    </PublicFrame>
  )
}
