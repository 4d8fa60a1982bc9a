import { Notice } from '#app/ui/feedback/notice.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { useIsKeptForm } from '#app/ui/forms/kept-values.ts'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { FaultyForm } from './faulty-form.ts'
import { PersonActionForm } from './person-action-form.tsx'
import type { PersonView } from './person-view.ts'
import { UserFields } from './user-fields.tsx'

type Props = { view: PersonView; fault: FaultyForm | undefined }

/** The person's data and roles, and the form that changes them. */
export function PersonData({ view, fault }: Props) {
  const { id, facts, warnings, canManage } = view
  const own = fault?.intent === 'change' ? fault : undefined
  const isKept = useIsKeptForm(`/dashboard/users/${id}`, { intent: 'change' })
  return (
    <Sheet title="Datos y roles">
      <FactList>
        <Fact name="Correo electrónico">{facts.email}</Fact>
        <Fact name="RFC">{facts.rfc}</Fact>
        <Fact name="CURP">{facts.curp}</Fact>
        <Fact name="Roles">{facts.roles}</Fact>
        {view.isNotary && (
          <Fact name="Calidad">
            {facts.capacity}{' '}
            <PageLink to={`/dashboard/users/${id}/capacity`}>Documentos que la acreditan</PageLink>
          </Fact>
        )}
        <Fact name="Cuenta creada">{facts.created}</Fact>
      </FactList>
      {warnings.map((warning) => (
        <Notice key={warning} tone="wait" isLive={false}>
          {warning}
        </Notice>
      ))}
      {canManage && (
        <details className={folds.fold} open={isKept || own !== undefined}>
          <summary>Cambiar datos y roles</summary>
          <PersonActionForm id={id} intent="change" className={folds.form}>
            <FormRefusal errors={own?.errors.form} />
            <UserFields values={own?.values ?? view.values} errors={own?.errors} />
            <SubmitButton>Guardar</SubmitButton>
          </PersonActionForm>
        </details>
      )}
    </Sheet>
  )
}
