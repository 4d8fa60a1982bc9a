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
  return (
    <SignFrame view={view}>
      <SignInPage view={view} />
      <p className={css.quiet}>
        ¿Su navegador no muestra el formulario?{' '}
        <a href={`/dashboard/documents/${view.id}/sign/without-scripts`}>Firmar sin scripts</a>
      </p>
      <noscript>
        <SignOnServerForm view={view} />
      </noscript>
    </SignFrame>
  )
}
