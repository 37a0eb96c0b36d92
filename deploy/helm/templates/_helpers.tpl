{{- define "kohort.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The labels by which pods are selected; they cannot be changed later. */}}
{{- define "kohort.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kohort.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "kohort.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "kohort.image" -}}
{{- $repository := required "image.repository must name the image that you have built" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- define "kohort.account" -}}
{{- .Values.serviceAccount.name | default (ternary (include "kohort.name" .) "default" .Values.serviceAccount.create) -}}
{{- end -}}

{{- define "kohort.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* A container of the image, without its probes; takes `root`, `name`, `role` and `resources`. */}}
{{- define "kohort.container" -}}
name: {{ .name }}
image: {{ include "kohort.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ required "existingSecret must name a Secret with DATABASE_URL and CLICKHOUSE_URL" .root.Values.existingSecret | quote }}
  {{- with .root.Values.extraEnvFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
env:
  - name: ROLE
    value: {{ .role }}
  - name: HOST
    value: 0.0.0.0
  - name: PORT
    value: '3000'
  - name: METRICS_HOST
    value: 0.0.0.0
  - name: METRICS_PORT
    value: '9464'
  # Uploads go to the disk: /tmp is memory.
  - name: TMPDIR
    value: /var/lib/kohort
  {{- range $name, $value := .root.Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- with .root.Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources:
  {{- toYaml .resources | nindent 2 }}
volumeMounts:
  - name: memory
    mountPath: /tmp
  - name: uploads
    mountPath: /var/lib/kohort
  {{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "kohort.volumes" -}}
- name: memory
  emptyDir:
    medium: Memory
    sizeLimit: 64Mi
- name: uploads
  emptyDir:
    sizeLimit: {{ .Values.uploadsSize }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
