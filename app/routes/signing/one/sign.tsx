import { systemContext } from '#app/http/context.ts'
import type { Route } from './+types/sign'
import css from './sign.module.css'
import { SignFrame } from './sign-frame.tsx'
import { SignOptions } from './sign-options.tsx'
import { loadSigning } from './sign-view.ts'

export const handle = { label: 'Firmar documento' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar documento · Rúbrica' }]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const hasTokens = context.get(systemContext).tokens !== null
  return { ...(await loadSigning(params, url, context)), hasTokens }
}

export default function Sign({ loaderData: view }: Route.ComponentProps) {
  return (
    <SignFrame view={view}>
      <SignOptions view={view} />
      {view.hasTokens && (
        <p className={css.quiet}>
          <a href={`${view.address}/token`}>Firmar con el token conectado al servidor</a>
        </p>
      )}
    </SignFrame>
  )
}
