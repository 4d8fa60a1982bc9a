type Props = {
  /** By query parameter; those without a value are left out. */
  fields: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** What a form that asks for a list does not change. */
export const KeptFields = ({ fields }: Props) =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values ?? []]
      .flat()
      .map(
        (value) =>
          value && <input key={`${name} ${value}`} type="hidden" name={name} value={value} />,
      ),
  )
