import { Notice } from '#app/ui/feedback/notice.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './key.module.css'
import { type Fault, KeyActionForm } from './key-action-form.tsx'
import type { KeyView } from './key-view.ts'

type Props = { view: KeyView; fault: Fault | undefined }

/** The certificate whose private key the key keeps, and what proves that. */
export function CertificateSheet({ view, fault }: Props) {
  const { certificate, certificates, state, may } = view
  const mayLink = state === 'assigned' && (may.manage || may.manageOwn)
  if (!certificate && !mayLink) return null
  return (
    <Sheet title="Certificado en la llave">
      {certificate ? (
        <>
          <FactList>
            <Fact name="Titular">
              <PageLink to={`/dashboard/certificates/${certificate.id}`}>
                {certificate.name}
              </PageLink>
            </Fact>
            <Fact name="Número de certificado">
              <Hash value={certificate.number} />
            </Fact>
          </FactList>
          <Notice tone={certificate.tone} isLive={false}>
            {certificate.origin}
          </Notice>
          {state === 'lost' && (
            <Notice tone="bad" isLive={false}>
              La llave está perdida: pida la revocación de este certificado a quien lo emitió.
            </Notice>
          )}
          {mayLink && (
            <KeyActionForm yubikey={view} intent="unlink-certificate" className={css.below}>
              <input type="hidden" name="certificateId" value={certificate.id} />
              <SubmitButton variant="default">Desligar certificado</SubmitButton>
            </KeyActionForm>
          )}
        </>
      ) : (
        <p className={css.quiet}>
          No está anotado de qué certificado guarda la clave privada. Si lo está, al perderse la
          llave se sabe cuál hay que revocar.
        </p>
      )}
      {mayLink && certificates.length > 0 && (
        <LinkForm view={view} certificates={certificates} fault={fault} />
      )}
    </Sheet>
  )
}

function LinkForm({ view, certificates, fault }: Props & Pick<KeyView, 'certificates'>) {
  const own = fault?.intent === 'link-certificate' ? fault : undefined
  return (
    <KeyActionForm yubikey={view} intent="link-certificate" className={folds.form}>
      <SelectField
        name="certificateId"
        label={view.certificate ? 'Cambiar por otro certificado' : 'Ligar un certificado'}
        help="Los de quien tiene la llave, por su número."
        data={certificates.map(({ id, number }) => ({ value: id, label: number }))}
        defaultValue={own?.values.certificateId ?? certificates[0]?.id ?? ''}
        errors={own?.errors.certificateId}
      />
      <SubmitButton variant="default">Ligar certificado</SubmitButton>
    </KeyActionForm>
  )
}
