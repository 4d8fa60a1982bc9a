import { type ReactNode, useRef } from 'react'
import type { FormErrors } from '#app/http/forms.ts'
import { CheckRow } from '#app/ui/forms/check-row.tsx'
import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { DragHandle } from './drag-handle.tsx'
import css from './new.module.css'
import { ROW_KEYS, type SignerRow, stepsOf } from './signer-rows.ts'
import type { ChosenAct, OfferedParty } from './signer-view.ts'
import { useOrder } from './use-order.ts'

type Props = {
  rows: readonly SignerRow[]
  act: ChosenAct | null
  colleagues: readonly { value: string; label: string }[]
  offer: { text: string; found: readonly OfferedParty[] }
  errors: FormErrors | undefined
}

const CHARACTERS = 'characters-of-act'

/** The signers, from the office, the catalogue or new, in the order in which they sign. */
export function SignerChoice({ rows, act, colleagues, offer, errors }: Props) {
  const list = useRef<HTMLFieldSetElement>(null)
  const order = useOrder(rows, ({ key }) => key)
  const steps = stepsOf(order.inOrder)
  return (
    <>
      <fieldset ref={list} className={folds.choices}>
        <legend>{rows.length === 0 ? 'Firmantes' : `Firmantes (${rows.length})`}</legend>
        <p className={css.quiet}>
          Firman en este orden. Puede agregarlos aquí o después, en la página de la sesión.
        </p>
        {act && act.roles.length > 0 && (
          <p className={css.quiet}>
            {`${act.name}: ${act.roles.map(({ character, count }) => `${character} (${count})`).join(', ')}.`}
          </p>
        )}
        <datalist id={CHARACTERS}>
          {act?.roles.map(({ character }) => (
            <option key={character} value={character} />
          ))}
        </datalist>
        {order.inOrder.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            number={index + 1}
            step={steps[index] ?? 1}
            isLast={index === rows.length - 1}
            colleagues={colleagues}
            errors={errors}
            handle={
              <DragHandle
                id={row.key}
                name={`firmante ${index + 1}`}
                ids={order.ids}
                setIds={order.setIds}
                list={list}
              />
            }
          />
        ))}
        <div className={css.adds}>
          <SubmitButton variant="default" name="do" value="add-external">
            Agregar persona externa
          </SubmitButton>
          <SubmitButton variant="default" name="do" value="add-user">
            Agregar persona de la notaría
          </SubmitButton>
        </div>
      </fieldset>
      <fieldset className={folds.choices}>
        <legend>Agregar del catálogo de partes</legend>
        <div className={css.search}>
          <TextField
            name="party"
            label="Buscar por nombre o RFC"
            maxLength={200}
            defaultValue={offer.text}
          />
          <SubmitButton variant="default" name="do" value="search">
            Buscar en el catálogo
          </SubmitButton>
        </div>
        {offer.text !== '' && offer.found.length === 0 && (
          <p className={css.quiet}>Ninguna parte del catálogo coincide.</p>
        )}
        {offer.found.map((party) => (
          <CheckRow
            key={party.id}
            id={`known-${party.id}`}
            name="known"
            value={party.id}
            label={party.name}
            help={`RFC ${party.rfc} · ${party.character}`}
            isChecked={false}
          />
        ))}
        {offer.found.length > 0 && (
          <div className={css.moves}>
            <SubmitButton variant="default" name="do" value="add-parties">
              Agregar las marcadas
            </SubmitButton>
          </div>
        )}
      </fieldset>
    </>
  )
}

type RowProps = {
  row: SignerRow
  number: number
  step: number
  isLast: boolean
  colleagues: Props['colleagues']
  errors: FormErrors | undefined
  handle: ReactNode
}

function Row({ row, number, step, isLast, colleagues, errors, handle }: RowProps) {
  const field = (name: 'userId' | 'name' | 'rfc' | 'email' | 'character') => ({
    id: `${name}-${row.key}`,
    name: `${name}-${row.key}`,
    defaultValue: row[name],
    errors: errors?.[`${name}-${row.key}`],
  })
  const move = (kind: string, label: string) => (
    <SubmitButton variant="default" size="xs" name="do" value={`${kind}:${row.key}`}>
      {label}
      <span className="visually-hidden">{` firmante ${number}`}</span>
    </SubmitButton>
  )
  return (
    <fieldset className={css.signer} data-item={row.key}>
      <legend>
        {`Firmante ${number} · ${row.kind === 'user' ? 'de la notaría' : 'persona externa'} · turno ${step}`}
      </legend>
      <input type="hidden" name={ROW_KEYS} value={row.key} />
      <input type="hidden" name={`kind-${row.key}`} value={row.kind} />
      <input type="hidden" name={`given-${row.key}`} value={row.given} />
      <div className={css.fields}>
        {row.kind === 'user' ? (
          <SelectField
            {...field('userId')}
            label="Persona"
            data={[{ value: '', label: 'Elija a una persona' }, ...colleagues]}
          />
        ) : (
          <>
            <TextField
              {...field('name')}
              label="Nombre completo"
              maxLength={120}
              autoComplete="off"
            />
            <TextField
              {...field('rfc')}
              label="RFC"
              maxLength={20}
              autoComplete="off"
              spellCheck={false}
            />
          </>
        )}
        <TextField
          {...field('character')}
          label={row.kind === 'user' ? 'Carácter (opcional)' : 'Carácter declarado'}
          list={CHARACTERS}
          maxLength={80}
          autoComplete="off"
        />
        {row.kind === 'external' && (
          <TextField
            {...field('email')}
            type="email"
            label="Correo (opcional)"
            maxLength={254}
            autoComplete="off"
          />
        )}
      </div>
      <div className={css.ends}>
        {number > 1 && (
          <CheckboxField
            id={`together-${row.key}`}
            name={`together-${row.key}`}
            value="on"
            label="Firma a la vez que el anterior"
            defaultChecked={row.isTogether}
          />
        )}
        <span className={css.moves}>
          {handle}
          {number > 1 && move('signer-up', 'Subir')}
          {!isLast && move('signer-down', 'Bajar')}
          {move('signer-remove', 'Quitar')}
        </span>
      </div>
    </fieldset>
  )
}
