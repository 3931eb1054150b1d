import type { TreeChoice } from '../../api/metadata.ts'
import type { WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'

/** The leaves below a choice: what is stored. */
export function leavesOf(choice: TreeChoice): string[] {
  return choice.children ? choice.children.flatMap(leavesOf) : [choice.value]
}

/** The chosen leaves in the order of the tree after one choice, with everything below it, is ticked or unticked. */
export function withChoice(
  tree: readonly TreeChoice[],
  chosen: ReadonlySet<string>,
  choice: TreeChoice,
  on: boolean,
): string[] {
  const changed = new Set(leavesOf(choice))
  return tree.flatMap(leavesOf).filter((leaf) => (changed.has(leaf) ? on : chosen.has(leaf)))
}

/** A tree of choices, all open; ticking a group ticks what is in it. */
export default function TreeChecks({ id, value, onChange, field, disabled }: WidgetProps) {
  const tree = field.meta.tree ?? []
  const chosen = new Set(Array.isArray(value) ? value.map(String) : [])
  return (
    <div id={id} role="group" aria-labelledby={`${id}-label`} className={styles.tree}>
      <Branch
        choices={tree}
        chosen={chosen}
        disabled={disabled}
        onToggle={(choice, on) => onChange(withChoice(tree, chosen, choice, on))}
      />
    </div>
  )
}

interface BranchProps {
  choices: readonly TreeChoice[]
  chosen: ReadonlySet<string>
  disabled: boolean
  onToggle: (choice: TreeChoice, on: boolean) => void
}

function Branch(props: BranchProps) {
  return (
    <ul>
      {props.choices.map((choice) => {
        const leaves = leavesOf(choice)
        const ticked = leaves.filter((leaf) => props.chosen.has(leaf)).length
        return (
          <li key={choice.value}>
            <label>
              <input
                type="checkbox"
                disabled={props.disabled}
                checked={ticked === leaves.length && ticked > 0}
                ref={(element) => {
                  if (element) {
                    element.indeterminate = ticked > 0 && ticked < leaves.length
                  }
                }}
                onChange={(event) => props.onToggle(choice, event.target.checked)}
              />
              {choice.label}
            </label>
            {choice.children && <Branch {...props} choices={choice.children} />}
          </li>
        )
      })}
    </ul>
  )
}
