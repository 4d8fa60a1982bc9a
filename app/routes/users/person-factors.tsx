import { Badge } from '#app/ui/feedback/badge.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import type { IconName } from '#app/ui/text/icon.tsx'
import type { FaultyForm } from './faulty-form.ts'
import css from './person.module.css'
import { PersonActionForm, ReasonedAction } from './person-action-form.tsx'
import type { PersonView } from './person-view.ts'

type Access = NonNullable<PersonView['access']>
type Props = { view: PersonView; access: Access; fault: FaultyForm | undefined }

/** The person's second factors, and the forms to remove lost ones. */
export function PersonFactors({ view, access, fault }: Props) {
  const { factors, removal } = access
  const canAsk = view.canManage && !view.isOneself && factors.isOn && !removal
  return (
    <div id="dos-pasos">
      <Sheet
        title="Verificación en dos pasos"
        aside={
          <Badge tone={factors.isOn ? 'good' : 'wait'}>
            {factors.isOn ? 'Activada' : 'Sin activar'}
          </Badge>
        }
      >
        {!factors.isOn && (
          <p className={css.quiet}>
            {view.state === 'invited'
              ? 'Todavía no ha entrado: la configura cuando elija su contraseña, si la notaría lo exige, o en Mi Perfil.'
              : 'Hoy entra solo con su contraseña. Cada quien la activa en Mi Perfil.'}
          </p>
        )}
        <ItemList>
          {factors.keys.map((key) => (
            <Factor
              key={key.id}
              icon="key"
              name={key.name}
              facts={key.facts}
              isSuspect={key.isSuspect}
            />
          ))}
          {factors.app && (
            <Factor icon="phone" name="Aplicación de autenticación" facts={factors.app} />
          )}
          {factors.codes && (
            <Factor icon="document" name="Códigos de respaldo" facts={factors.codes} />
          )}
        </ItemList>
        {removal && <RemovalRequest view={view} removal={removal} />}
        {canAsk && (
          <ReasonedAction
            id={view.id}
            intent="ask-removal"
            title="Solicitar retiro"
            meaning="Para quien perdió su teléfono o su llave. Compruebe en persona quién lo pide. Otro administrador debe aprobarlo; entonces se retira todo y se cierran sus sesiones."
            button="Solicitar retiro"
            fault={fault}
          />
        )}
      </Sheet>
    </div>
  )
}

type FactorProps = { icon: IconName; name: string; facts: string; isSuspect?: boolean }

function Factor({ icon, name, facts, isSuspect = false }: FactorProps) {
  return (
    <Item icon={icon} name={name} badge={isSuspect && <Badge tone="bad">En revisión</Badge>}>
      <p>{facts}</p>
    </Item>
  )
}

/** A removal requested by one administrator, for another to decide. */
function RemovalRequest({
  view,
  removal,
}: {
  view: PersonView
  removal: NonNullable<Access['removal']>
}) {
  const { id, reason, requestedBy, requestedAt, expires, canApprove, isMine } = removal
  return (
    <Notice tone="wait" title="Retiro por aprobar" isLive={false}>
      <p>
        {requestedBy} lo solicitó el {requestedAt}. Motivo: {reason}
      </p>
      <p>
        {canApprove
          ? 'Compruebe con la persona que es cierto antes de aprobar.'
          : 'Debe aprobarlo otro administrador.'}{' '}
        La solicitud vence el {expires}.
      </p>
      {view.canManage && (
        <div className={css.buttons}>
          {canApprove && (
            <PersonActionForm id={view.id} intent="approve-removal">
              <input type="hidden" name="removalId" value={id} />
              <SubmitButton>Aprobar retiro</SubmitButton>
            </PersonActionForm>
          )}
          <PersonActionForm id={view.id} intent="refuse-removal">
            <input type="hidden" name="removalId" value={id} />
            <SubmitButton variant="default">
              {isMine ? 'Retirar solicitud' : 'Rechazar solicitud'}
            </SubmitButton>
          </PersonActionForm>
        </div>
      )}
    </Notice>
  )
}
