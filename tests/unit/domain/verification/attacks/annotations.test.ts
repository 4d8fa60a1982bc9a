import { ANNOTATIONS } from '#tests/attacks/annotations.ts'
import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { LEGIBLE_MARKS, TEXT_MARKS } from '#tests/attacks/text-marks.ts'
import { UPRIGHT_LOOKS } from '#tests/attacks/upright-looks.ts'

testFamilies([...ANNOTATIONS, TEXT_MARKS, LEGIBLE_MARKS, UPRIGHT_LOOKS])
