import type { FormErrors } from '#app/http/forms.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SecurityKeyButton } from '#app/ui/forms/security-key-button.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import css from './presence.module.css'
import type { ShownPresence } from './presence-view.ts'

type View = ShownPresence & { setup: string }

/** A form per second factor of the signer; codes work without scripts. */
export function PresenceForms({ view, errors }: { view: View; errors: FormErrors | undefined }) {
  const { methods, covered, setup } = view
  if (methods.length === 0) return <NoFactor setup={setup} />
  return (
    <>
      {methods.includes('WEBAUTHN') && (
        <Sheet title="Con su llave de seguridad">
          <PostForm className={form.form} noValidate>
            <input type="hidden" name="method" value="WEBAUTHN" />
            <SecurityKeyButton
              purpose="authenticate"
              begin={{ path: '/dashboard/signing/presence/begin', body: { documents: covered } }}
            />
          </PostForm>
        </Sheet>
      )}
      {methods.includes('TOTP') && (
        <Sheet title="Con su aplicación de códigos">
          <PostForm className={form.form} noValidate>
            <input type="hidden" name="method" value="TOTP" />
            <input type="hidden" name="documents" value={JSON.stringify(covered)} />
            <TextField
              name="code"
              label="Código de verificación"
              help="Los seis dígitos que su aplicación muestra ahora."
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              maxLength={20}
              required
              errors={errors?.code}
            />
            <SubmitButton>Confirmar con código</SubmitButton>
          </PostForm>
        </Sheet>
      )}
    </>
  )
}

function NoFactor({ setup }: { setup: string }) {
  return (
    <Sheet>
      <Notice tone="wait" isLive={false}>
        Usted no tiene llave de seguridad ni aplicación de códigos. Configure una para poder firmar;
        los códigos de respaldo no sirven para esto.
      </Notice>
      <div className={css.way}>
        <ButtonLink to={setup}>Configurar el segundo paso</ButtonLink>
      </div>
    </Sheet>
  )
}

/** The documents of the proof, with the content hashes that it covers. */
export function PresenceDocuments({ view }: { view: View }) {
  const { documents } = view
  const title = documents.length === 1 ? 'Lo que va a firmar' : `${documents.length} documentos`
  return (
    <Sheet title={title}>
      <ul className={css.documents}>
        {documents.map(({ id, title, folio, version, sha256 }) => (
          <li key={id}>
            <strong>{title}</strong>
            <span>
              Folio {folio} · versión {version}
            </span>
            <span>
              SHA-256 <Hash value={sha256} size={documents.length === 1 ? 4 : 16} />
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
