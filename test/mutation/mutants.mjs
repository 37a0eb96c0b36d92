import ts from 'typescript';

const { SyntaxKind } = ts;

/** Replaces each operator by its opposite, and where a bound is involved by its neighbour. */
const operators = new Map([
  [SyntaxKind.PlusToken, ['-']],
  [SyntaxKind.MinusToken, ['+']],
  [SyntaxKind.AsteriskToken, ['/']],
  [SyntaxKind.SlashToken, ['*']],
  [SyntaxKind.PercentToken, ['*']],
  [SyntaxKind.LessThanToken, ['<=', '>=']],
  [SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [SyntaxKind.AmpersandAmpersandToken, ['||']],
  [SyntaxKind.BarBarToken, ['&&']],
  [SyntaxKind.QuestionQuestionToken, ['&&']],
  [SyntaxKind.PlusEqualsToken, ['-=']],
  [SyntaxKind.MinusEqualsToken, ['+=']],
]);

const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
]);

/** Calls without which the value is still one of the same type. */
const removable = new Set(['filter', 'sort', 'slice', 'trim', 'reverse', 'toSorted', 'toReversed']);

/** Words of a statement, each with another that the engine accepts in its place. */
const sqlWords = [
  [/\bAND\b/g, 'OR'],
  [/\bOR\b/g, 'AND'],
  [/\bNOT (?!IN\b|NULL\b|EXISTS\b)/g, ''],
  [/\bNOT IN\b/g, 'IN'],
  [/(?<!NOT |GLOBAL )\bIN\b/g, 'NOT IN'],
  [/\bmin(?=If\b|\()/g, 'max'],
  [/\bmax(?=If\b|\()/g, 'min'],
  [/\bASC\b/g, 'DESC'],
  [/\bDESC\b/g, 'ASC'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/(?<=\w\)?) = (?=[\w$])/g, ' != '],
  [/ != /g, ' = '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\buniqExact(?=If\b|\()/g, 'count'],
  [/\bDISTINCT /g, ''],
];

const regexParts = [
  [/^\^/g, ''],
  [/\$$/g, ''],
  [/\\d/g, '\\D'],
  [/\\s/g, '\\S'],
  [/(?<![\\(])\+(?!\?)/g, ''],
  [/(?<=[\])\w])\?(?!:)/g, ''],
];

/**
 * Small faults that the file could have, each as a replacement of one piece of its text. A replacement that the compiler would
 * refuse is left out where its place shows that.
 */
export const mutantsOf = (name, text) => {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const replace = (start, end, replacement, kind) => mutants.push({ start, end, replacement, kind });
  const replaceNode = (node, replacement, kind) => replace(node.getStart(file), node.getEnd(), replacement, kind);
  const replaceWords = (node, rules, kind) => {
    const start = node.getStart(file);
    const source = text.slice(start, node.getEnd());
    for (const [pattern, word] of rules)
      for (const match of source.matchAll(pattern))
        replace(start + match.index, start + match.index + match[0].length, word, kind);
  };

  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isExportDeclaration(node) || ts.isDecorator(node)) return;
    if (ts.isThrowStatement(node)) return void replaceNode(node, ';', 'throw');

    if (ts.isBinaryExpression(node)) {
      const token = node.operatorToken;
      const isText = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      if (!(isText && token.kind === SyntaxKind.PlusToken))
        for (const other of operators.get(token.kind) ?? []) replaceNode(token, other, 'operator');
    } else if (ts.isConditionalExpression(node) || ts.isIfStatement(node) || ts.isWhileStatement(node)) {
      const condition = ts.isConditionalExpression(node) ? node.condition : node.expression;
      for (const value of ['true', 'false']) replaceNode(condition, value, 'condition');
    } else if (ts.isPrefixUnaryExpression(node)) {
      if (node.operator === SyntaxKind.ExclamationToken) replaceNode(node, node.operand.getText(file), 'negation');
      if (node.operator === SyntaxKind.MinusToken) replaceNode(node, `+${node.operand.getText(file)}`, 'sign');
    } else if (node.kind === SyntaxKind.TrueKeyword) replaceNode(node, 'false', 'boolean');
    else if (node.kind === SyntaxKind.FalseKeyword) replaceNode(node, 'true', 'boolean');
    else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !ts.isAsExpression(node.parent))
      replaceNode(node, '[]', 'list');
    else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name: method, expression: object } = node.expression;
      const other = methods.get(method.text);
      if (other) replaceNode(method, other, 'method');
      if (removable.has(method.text)) replaceNode(node, object.getText(file), 'call');
    } else if (ts.isRegularExpressionLiteral(node)) {
      const start = node.getStart(file) + 1;
      const pattern = node.text.slice(1, node.text.lastIndexOf('/'));
      for (const [part, word] of regexParts)
        for (const match of pattern.matchAll(part))
          replace(start + match.index, start + match.index + match[0].length, word, 'pattern');
    } else if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'sql') {
      const { template } = node;
      const pieces = ts.isNoSubstitutionTemplateLiteral(template)
        ? [template]
        : [template.head, ...template.templateSpans.map(({ literal }) => literal)];
      for (const piece of pieces) replaceWords(piece, sqlWords, 'sql');
    } else if (ts.isBlock(node) && node.statements.length > 0 && isProcedure(node)) replaceNode(node, '{}', 'block');
    else if (ts.isStatement(node) && ts.isExpressionStatement(node) && ts.isBlock(node.parent)) {
      if (ts.isCallExpression(node.expression)) replaceNode(node, ';', 'statement');
    } else if (ts.isContinueStatement(node) || ts.isBreakStatement(node)) {
      if (!ts.isCaseOrDefaultClause(node.parent)) replaceNode(node, ';', 'jump');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants.map((mutant) => ({ ...mutant, line: file.getLineAndCharacterOfPosition(mutant.start).line + 1 }));
};

/** True if the block is the body of a function without a value. The compiler would refuse an empty body of any other. */
const isProcedure = (block) => {
  if (!ts.isFunctionLike(block.parent) || ts.isConstructorDeclaration(block.parent)) return false;
  let returns = false;
  const search = (node) => {
    if (ts.isReturnStatement(node) && node.expression) returns = true;
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, search);
  };
  search(block);
  return !returns;
};

export const withMutant = (text, { start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end);
