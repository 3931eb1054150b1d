CREATE TABLE "activities" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"resource_id" uuid NOT NULL,
	"r_type" text NOT NULL,
	"detail" jsonb NOT NULL,
	"detail_id" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"datetime" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_logs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"username" text NOT NULL,
	"type" text NOT NULL,
	"ip" text NOT NULL,
	"city" text,
	"user_agent" text,
	"mfa" integer DEFAULT 2 NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"backend" text DEFAULT '' NOT NULL,
	"status" boolean NOT NULL,
	"datetime" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operate_logs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user" text NOT NULL,
	"user_id" uuid,
	"action" text NOT NULL,
	"resource_type" text NOT NULL,
	"resource" text NOT NULL,
	"resource_id" text DEFAULT '' NOT NULL,
	"remote_addr" text,
	"org_id" uuid NOT NULL,
	"diff" jsonb,
	"datetime" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_change_logs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user" text NOT NULL,
	"user_id" uuid NOT NULL,
	"change_by" text NOT NULL,
	"remote_addr" text,
	"datetime" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "access_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"secret" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bearer_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"remote_addr" text NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"date_expired" timestamp with time zone NOT NULL,
	CONSTRAINT "bearer_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "connection_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"value" text NOT NULL,
	"user_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"account" text NOT NULL,
	"input_username" text DEFAULT '' NOT NULL,
	"input_secret" text,
	"connect_method" text NOT NULL,
	"protocol" text NOT NULL,
	"actions" integer DEFAULT 0 NOT NULL,
	"user_display" text NOT NULL,
	"asset_display" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"from_ticket_id" uuid,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	"date_expired" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_counters" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"date_expired" timestamp with time zone NOT NULL,
	CONSTRAINT "login_counters_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "web_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"csrf_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"auto_login" boolean DEFAULT false NOT NULL,
	"remote_addr" text NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"confirm_level" integer DEFAULT 0 NOT NULL,
	"date_confirmed" timestamp with time zone,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"date_last_used" timestamp with time zone DEFAULT now() NOT NULL,
	"date_expired" timestamp with time zone NOT NULL,
	CONSTRAINT "web_sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"builtin" boolean DEFAULT false NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "role_bindings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	"org_id" uuid,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "role_bindings_key" UNIQUE NULLS NOT DISTINCT("user_id","role_id","org_id")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"builtin" boolean DEFAULT false NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "roles_name_scope_key" UNIQUE("name","scope"),
	CONSTRAINT "roles_scope_check" CHECK ("roles"."scope" in ('system', 'org'))
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"category" text NOT NULL,
	"encrypted" boolean DEFAULT false NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_history" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"password_hash" text NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_group_members" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_group_members_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"usergroup_id" uuid NOT NULL,
	CONSTRAINT "user_group_members_key" UNIQUE("user_id","usergroup_id")
);
--> statement-breakpoint
CREATE TABLE "user_groups" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_groups_name_key" UNIQUE("org_id","name")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"username" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"public_key" text,
	"secret_key" text,
	"otp_secret" text,
	"wechat" text DEFAULT '' NOT NULL,
	"phone" text,
	"mfa_level" integer DEFAULT 0 NOT NULL,
	"source" text DEFAULT 'local' NOT NULL,
	"wecom_id" text,
	"dingtalk_id" text,
	"feishu_id" text,
	"created_by" text DEFAULT '' NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"comment" text,
	"is_service_account" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"need_update_password" boolean DEFAULT false NOT NULL,
	"is_first_login" boolean DEFAULT true NOT NULL,
	"date_expired" timestamp with time zone,
	"date_joined" timestamp with time zone DEFAULT now() NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	"last_login" timestamp with time zone,
	"date_password_last_updated" timestamp with time zone,
	CONSTRAINT "users_wecom_id_unique" UNIQUE("wecom_id"),
	CONSTRAINT "users_dingtalk_id_unique" UNIQUE("dingtalk_id"),
	CONSTRAINT "users_feishu_id_unique" UNIQUE("feishu_id"),
	CONSTRAINT "users_username_key" UNIQUE("username"),
	CONSTRAINT "users_email_key" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "access_keys" ADD CONSTRAINT "access_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bearer_tokens" ADD CONSTRAINT "bearer_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_tokens" ADD CONSTRAINT "connection_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_sessions" ADD CONSTRAINT "web_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_bindings" ADD CONSTRAINT "role_bindings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_bindings" ADD CONSTRAINT "role_bindings_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_bindings" ADD CONSTRAINT "role_bindings_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_history" ADD CONSTRAINT "password_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_group_members" ADD CONSTRAINT "user_group_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_group_members" ADD CONSTRAINT "user_group_members_usergroup_id_user_groups_id_fk" FOREIGN KEY ("usergroup_id") REFERENCES "public"."user_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_groups" ADD CONSTRAINT "user_groups_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activities_resource_idx" ON "activities" USING btree ("resource_id","datetime");--> statement-breakpoint
CREATE INDEX "activities_datetime_idx" ON "activities" USING btree ("datetime");--> statement-breakpoint
CREATE INDEX "login_logs_datetime_idx" ON "login_logs" USING btree ("datetime");--> statement-breakpoint
CREATE INDEX "login_logs_username_idx" ON "login_logs" USING btree ("username","datetime");--> statement-breakpoint
CREATE INDEX "login_logs_username_trgm" ON "login_logs" USING gin ("username" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "login_logs_ip_trgm" ON "login_logs" USING gin ("ip" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "login_logs_city_trgm" ON "login_logs" USING gin ("city" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "operate_logs_org_idx" ON "operate_logs" USING btree ("org_id","datetime");--> statement-breakpoint
CREATE INDEX "operate_logs_datetime_idx" ON "operate_logs" USING btree ("datetime");--> statement-breakpoint
CREATE INDEX "operate_logs_resource_idx" ON "operate_logs" USING btree ("resource_id","datetime");--> statement-breakpoint
CREATE INDEX "operate_logs_user_idx" ON "operate_logs" USING btree ("user_id","datetime");--> statement-breakpoint
CREATE INDEX "operate_logs_resource_trgm" ON "operate_logs" USING gin ("resource" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "operate_logs_user_trgm" ON "operate_logs" USING gin ("user" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "password_change_logs_datetime_idx" ON "password_change_logs" USING btree ("datetime");--> statement-breakpoint
CREATE INDEX "access_keys_user_idx" ON "access_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "bearer_tokens_user_idx" ON "bearer_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "bearer_tokens_expired_idx" ON "bearer_tokens" USING btree ("date_expired");--> statement-breakpoint
CREATE INDEX "connection_tokens_user_idx" ON "connection_tokens" USING btree ("user_id","date_expired");--> statement-breakpoint
CREATE INDEX "connection_tokens_expired_idx" ON "connection_tokens" USING btree ("date_expired");--> statement-breakpoint
CREATE INDEX "login_counters_expired_idx" ON "login_counters" USING btree ("date_expired");--> statement-breakpoint
CREATE INDEX "web_sessions_user_idx" ON "web_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "web_sessions_expired_idx" ON "web_sessions" USING btree ("date_expired");--> statement-breakpoint
CREATE INDEX "role_bindings_org_idx" ON "role_bindings" USING btree ("org_id","user_id");--> statement-breakpoint
CREATE INDEX "role_bindings_role_idx" ON "role_bindings" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "password_history_user_idx" ON "password_history" USING btree ("user_id","date_created");--> statement-breakpoint
CREATE INDEX "user_group_members_group_idx" ON "user_group_members" USING btree ("usergroup_id");--> statement-breakpoint
CREATE INDEX "users_name_idx" ON "users" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "users_name_trgm" ON "users" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_username_trgm" ON "users" USING gin ("username" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_email_trgm" ON "users" USING gin ("email" gin_trgm_ops);