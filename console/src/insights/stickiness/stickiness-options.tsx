import { type EditorProps } from '../kind';
import { ComparisonPicker } from '../question/comparison-picker';

export function StickinessOptions(props: EditorProps) {
  return <ComparisonPicker {...props} />;
}
