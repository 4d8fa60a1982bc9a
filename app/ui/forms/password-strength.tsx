import { useRouteLoaderData } from 'react-router'
import islandUrl from '#app/islands/password-strength.ts?worker&url'
import { Island } from '#app/ui/frame/island.tsx'
import css from './password-strength.module.css'

export type Strength = {
  /** 0 (guessed at once) to 4 (hard to guess). */
  score: number
  sentence: string
}

type Props = {
  /** The `name` of the password field above it. */
  field: string
  /** Strength of the submitted password; undefined on a fresh page. */
  strength: Strength | undefined
}

/**
 * Shows the password's strength: with scripts while the user types, without them after submission. The
 * server judges it in both cases.
 */
export function PasswordStrength({ field, strength }: Props) {
  const root = useRouteLoaderData('root') as { csrf?: string } | undefined
  return (
    <div
      className={css.strength}
      data-island="password-strength"
      data-field={`field-${field}`}
      data-address="/password-strength"
      data-csrf={root?.csrf}
      hidden={!strength}
    >
      <meter
        aria-label="Fortaleza de la contraseña"
        min={0}
        max={4}
        low={2}
        high={3}
        optimum={4}
        value={strength?.score ?? 0}
      />
      <p data-part="sentence" aria-live="polite">
        {strength?.sentence}
      </p>
      <Island src={islandUrl} />
    </div>
  )
}
