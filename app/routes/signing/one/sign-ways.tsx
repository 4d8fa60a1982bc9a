import { useNonce } from '#app/ui/frame/nonce.ts'
import css from './sign.module.css'
import { SignInPage } from './sign-in-page.tsx'
import { SignOnServerForm } from './sign-on-server-form.tsx'
import type { SignView } from './sign-view.ts'

/** Where scripts run, the key stays in the page; where none do, only the other form is there. */
export function SignWays({ view }: { view: SignView }) {
  const nonce = useNonce()
  return (
    <>
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
    </>
  )
}
