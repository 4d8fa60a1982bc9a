import { useNonce } from '#app/ui/nonce.ts'
import type { Route } from './+types/sign'
import css from './sign.module.css'
import { SignFrame } from './sign-frame.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { SignOnServerForm } from './sign-on-server-form.tsx'
import { loadSigning } from './sign-view.ts'

export const handle = { label: 'Firmar documento' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar documento · Rúbrica' }]

export const loader = ({ params, context }: Route.LoaderArgs) => loadSigning(params, context)

/** Where scripts run, the key stays in the page; where none do, only the other form is there. */
export default function Sign({ loaderData: view }: Route.ComponentProps) {
  const nonce = useNonce()
  return (
    <SignFrame view={view}>
      <div data-needs-scripts className={css.ways}>
        <SignInPage view={view} />
        <p className={css.quiet}>
          ¿Su navegador no muestra el formulario?{' '}
          <a href={`${view.address}/without-scripts`}>Firmar sin scripts</a>
        </p>
      </div>
      <noscript>
        {/* Of the two ways one is ever visible; browsers of 2023 do not know the media feature "scripting". */}
        <style nonce={nonce}>{'[data-needs-scripts]{display:none}'}</style>
        <SignOnServerForm view={view} />
      </noscript>
    </SignFrame>
  )
}
