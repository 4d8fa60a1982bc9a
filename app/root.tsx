import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '#app/theme/theme.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from 'react-router'
import { useShouldHydrate } from 'remix-utils/use-should-hydrate'
import { readTheme } from '#app/http/cookies.ts'
import { theme } from '#app/theme/theme.ts'
import { useNonce } from '#app/ui/nonce.ts'
import { PageStyles } from '#app/ui/page-styles.tsx'
import type { Route } from './+types/root'

export function loader({ request }: Route.LoaderArgs) {
  return { theme: readTheme(request) }
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce()
  const isHydrated = useShouldHydrate()
  const scheme = useRouteLoaderData<typeof loader>('root')?.theme ?? 'system'
  return (
    <html lang="es-MX" data-mantine-color-scheme={scheme === 'system' ? 'auto' : scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <PageStyles isHydrated={isHydrated} />
      </head>
      <body>
        <MantineProvider theme={theme} withCssVariables={false} getStyleNonce={() => nonce}>
          {children}
        </MantineProvider>
        {isHydrated && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  )
}

export default Outlet
