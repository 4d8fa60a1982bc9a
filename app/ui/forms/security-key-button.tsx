import island from '#app/islands/security-key.ts?worker&url'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Island } from '#app/ui/frame/island.tsx'
import css from './security-key-button.module.css'
import { SubmitButton } from './submit-button.tsx'

type Props = {
  purpose: 'register' | 'authenticate'
  /** Where the server says what to ask the key, and what it is told about it; the usual place and nothing when absent. */
  begin?: { path: string; body: unknown }
  /** `Usar llave de seguridad` when absent. */
  label?: string
}

const BEGIN = {
  register: '/api/v1/auth/webauthn/register/begin',
  authenticate: '/api/v1/auth/webauthn/authenticate/begin',
}

/**
 * The button of a form that a security key completes: what the key answers is sent as the field
 * `response`, in JSON. Nothing but a script can ask a key, so without one there is a sentence instead.
 */
export function SecurityKeyButton({ purpose, begin, label = 'Usar llave de seguridad' }: Props) {
  return (
    <div
      data-island="security-key"
      data-purpose={purpose}
      data-begin={begin?.path ?? BEGIN[purpose]}
      data-body={begin && JSON.stringify(begin.body)}
    >
      <noscript>
        <Notice tone="note" isNews={false}>
          Las llaves de seguridad necesitan JavaScript, que está desactivado en su navegador. Elija
          otra forma de verificación.
        </Notice>
      </noscript>
      <div data-part="ready" className={css.ready} hidden>
        <input type="hidden" name="response" data-part="answer" />
        <div data-part="problem" hidden>
          <Notice tone="bad">
            <span data-part="sentence" />
          </Notice>
        </div>
        <SubmitButton size="md" fullWidth>
          {label}
        </SubmitButton>
        <p data-part="waiting" className={css.waiting} role="status" hidden>
          Conecte su llave y tóquela cuando parpadee.
        </p>
      </div>
      <Island src={island} />
    </div>
  )
}
